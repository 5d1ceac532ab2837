// A small VitePress site; BASE mounts it below a path, METADATA_CHUNK moves the table of pages out of the HTML.
import { defineConfig } from 'vitepress';

export default defineConfig({
  title: 'Harbour',
  description: 'A small site about a harbour.',
  base: process.env.BASE ?? '/',
  cleanUrls: true,
  metaChunk: process.env.METADATA_CHUNK !== undefined,
  head: [['link', { rel: 'icon', href: `${process.env.BASE ?? '/'}favicon.svg` }]],
  themeConfig: {
    nav: [
      { text: 'Home', link: '/' },
      { text: 'Guide', link: '/guide/start' },
    ],
    sidebar: [{ text: 'Guide', items: [{ text: 'Start', link: '/guide/start' }, { text: 'More', link: '/guide/more' }] }],
    search: { provider: 'local' },
  },
});
