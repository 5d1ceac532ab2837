import { defineConfig } from 'vitepress'

export default defineConfig({
  title: "Harbour",
  base: '/awesome/',
  outDir: '../site',
  cleanUrls: true,
  sitemap: {
    hostname: 'https://harbour.org/awesome/',
  },
  themeConfig: {
    nav: [{ text: 'Tides', link: '/tides', base: '/of-a-menu/' }],
  }
})
