import adapter from '@sveltejs/adapter-static';

const harbour = {
	kit: {
		adapter: adapter({ pages: 'out' }),
		paths: {
			base: process.argv.includes('dev') ? '' : process.env.BASE_PATH
		}
	}
};

export default harbour;
