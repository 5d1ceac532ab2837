// Gates what Vite writes: `plugins: [sitegate()]`.
import { resolve } from 'node:path';
import { basePath, gate } from './gate.js';

export default function sitegate(options = {}) {
  let config;
  let written; // whether there are pages in what was written
  return {
    name: 'sitegate',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client', // pages are what browsers get
    configResolved(resolved) {
      config = resolved;
    },
    writeBundle(_, bundle) {
      written = Object.keys(bundle).some((name) => name.endsWith('.html'));
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        if (written === undefined || config.build.ssr || config.build.watch) return; // it broke before, is no site, or is being written
        if (!written) {
          throw new Error('sitegate: Vite wrote no page. Where a framework writes them later, use its own plugin (`sitegate/astro`, `sitegate/vitepress`), or `sitegate check` after the build');
        }
        written = undefined;
        const folder = resolve(config.root, config.build.outDir);
        await gate({ folder, project: config.root, site: { 'base-path': basePath(config.base) }, sources: ['**/*.html', 'src/**', 'public/**'] }, options);
      },
    },
  };
}
