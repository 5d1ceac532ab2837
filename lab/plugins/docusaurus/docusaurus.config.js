// A site in two languages, gated.
export default {
  title: 'Harbour',
  url: 'https://harbour.example',
  baseUrl: '/docs/',
  trailingSlash: true,
  onBrokenLinks: 'throw',
  i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },
  presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]],
  plugins: ['sitegate/docusaurus'],
};
