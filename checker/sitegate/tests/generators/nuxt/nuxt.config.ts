// baseURL: '/of-a-comment/'
export default defineNuxtConfig({
  app: { baseURL: '/docs/' },
  nitro: { preset: 'github_pages' },
})
