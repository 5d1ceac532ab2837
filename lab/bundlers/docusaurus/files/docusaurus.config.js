// A small Docusaurus site with the classic preset; BASE mounts it below a path.
export default {
  title: 'Harbour',
  tagline: 'A small site about a harbour',
  favicon: 'img/favicon.svg',
  url: 'https://harbour.example',
  baseUrl: process.env.BASE ?? '/',
  trailingSlash: true,
  onBrokenLinks: 'throw',
  presets: [['classic', { docs: { sidebarPath: './sidebars.js' }, blog: false, theme: { customCss: './src/css/custom.css' }, sitemap: false }]],
  themeConfig: {
    navbar: {
      title: 'Harbour',
      items: [
        { type: 'docSidebar', sidebarId: 'docs', position: 'left', label: 'Guide' },
        { to: '/second', label: 'Second', position: 'left' },
      ],
    },
  },
};
