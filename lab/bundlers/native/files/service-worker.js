// A service worker that caches a few files.
importScripts('app/kept.js');

addEventListener('install', (event) => event.waitUntil(globalThis.keep()));
