// Gates what Vite writes: `plugins: [sitegate()]`.
import { resolve } from 'node:path';
import { basePath, gate } from './gate.js';

/** @param {import('./index.d.ts').GateOptions} options */
export default function sitegate(options = {}) {
  /** @type {{ root: string, base: string, build: { outDir: string, ssr: unknown, watch: unknown } }} */
  let config;
  /** @type {boolean | undefined} */
  let written; // whether there are pages in what was written
  return {
    name: 'sitegate',
    apply: 'build',
    enforce: 'post',
    /** @param {{ name: string }} environment */
    applyToEnvironment: ({ name }) => name === 'client', // pages are what browsers get
    /** @param {typeof config} resolved */
    configResolved(resolved) {
      config = resolved;
    },
    /**
     * @param {unknown} _
     * @param {object} bundle
     */
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
