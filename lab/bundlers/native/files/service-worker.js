// Keeps a few files, in a script of its own.
importScripts('app/kept.js');

addEventListener('install', (event) => event.waitUntil(globalThis.keep()));
