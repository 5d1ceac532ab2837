// @ts-check
import mdx from '@astrojs/mdx';
import netlify from '@astrojs/netlify';
import sitemap from '@astrojs/sitemap';
import { defineConfig } from 'astro/config';

// https://astro.build/config
export default defineConfig({
	site: 'https://www.harbour.org',
	base: 'docs',
	trailingSlash: 'never',
	adapter: netlify(),
	integrations: [mdx(), sitemap()],
});
