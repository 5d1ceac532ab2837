// A small prerendered Nuxt site; NUXT_APP_BASE_URL mounts it below a path.
export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  css: ['~/assets/site.css'],
  experimental: { appManifest: true },
  app: {
    head: {
      htmlAttrs: { lang: 'en' },
      meta: [{ name: 'description', content: 'A small site about a harbour.' }],
      link: [{ rel: 'icon', href: `${process.env.NUXT_APP_BASE_URL ?? '/'}icon.svg` }],
    },
  },
});
