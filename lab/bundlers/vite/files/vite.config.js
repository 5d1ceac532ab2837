// Two pages, without inlined files, and without preload lists in one variant.
import { resolve } from 'node:path';

const page = (path) => resolve(import.meta.dirname, path);

export default {
  build: {
    assetsInlineLimit: 0,
    sourcemap: true,
    modulePreload: process.env.NO_PRELOAD === undefined ? undefined : false,
    rollupOptions: { input: { main: page('index.html'), about: page('about/index.html') } },
  },
  worker: { format: 'es' },
};
