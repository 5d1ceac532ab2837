// A small Astro site with islands of two frameworks; BASE mounts it below a path, STYLES says which style sheets the pages hold.
import preact from '@astrojs/preact';
import svelte from '@astrojs/svelte';
import { defineConfig } from 'astro/config';

export default defineConfig({
  base: process.env.BASE ?? '/',
  trailingSlash: 'always',
  build: { inlineStylesheets: process.env.STYLES ?? 'auto' },
  integrations: [preact(), svelte()],
});
