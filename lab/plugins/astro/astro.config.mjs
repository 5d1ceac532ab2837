// A site of two pages, gated.
import { defineConfig } from 'astro/config';
import sitegate from 'sitegate/astro';

export default defineConfig({
  site: 'https://harbour.example',
  base: '/docs',
  trailingSlash: 'always',
  integrations: [sitegate()],
});
