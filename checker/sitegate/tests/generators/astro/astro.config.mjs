import netlify from '@astrojs/netlify';
import { defineConfig } from 'astro/config';
import tides from './tides.mjs';

// site: 'https://comment.example.com'
export default defineConfig({
	site: 'https://www.harbour.org',
	base: 'docs',
	trailingSlash: 'never',
	adapter: netlify(),
	integrations: [tides({ site: 'https://of-an-integration.example.com' })],
});
