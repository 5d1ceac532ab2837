// A classic worker: its scripts are found from itself.
importScripts('double.js', './triple.js');

addEventListener('message', ({ data }) => postMessage(globalThis.double(globalThis.triple(data))));
