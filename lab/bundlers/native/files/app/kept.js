// Keeps a few files for when there is no network.
globalThis.keep = () => caches.open('kept').then((cache) => cache.addAll(['offline.txt', 'styles/page.css']));
