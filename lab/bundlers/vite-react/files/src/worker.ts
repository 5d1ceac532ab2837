// A classic worker, as Vite makes them by default.
addEventListener('message', ({ data }) => postMessage(data * 2));
