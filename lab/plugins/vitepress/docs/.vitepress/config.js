// A site of two pages, gated.
import sitegate from 'sitegate/vitepress';
import { defineConfig } from 'vitepress';

export default defineConfig({
  title: 'Harbour',
  base: '/docs/',
  cleanUrls: true,
  sitemap: { hostname: 'https://harbour.example/docs/' },
  buildEnd: sitegate(),
});
