// A site of two pages, gated.
import sitegate from 'sitegate/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/docs/',
  build: { rolldownOptions: { input: ['index.html', 'second.html'] } },
  plugins: [sitegate()],
});
