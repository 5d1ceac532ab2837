import adapter from '@sveltejs/adapter-static';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

export default defineConfig({
	plugins: [
		sveltekit({
			compilerOptions: {
				// A function with a regular expression: base: '/of-a-comment'
				warningFilter: ({ filename }) => filename.split(/[/\\'"]/).length > 2 ? undefined : true
			},
			adapter: adapter({ pages: 'public_html' }),
			paths: { base: '/shop' }
		})
	]
});
