// Checks the site that Vite builds: `plugins: [sitegate()]`.
import { resolve } from 'node:path';
import { basePath, gate, skipInWatchMode } from './gate.js';

/** @param {import('./index.d.ts').GateOptions} options */
export default function sitegate(options = {}) {
  /** @type {{ root: string, base: string, build: { outDir: string, ssr: unknown, watch: unknown } }} */
  let config;
  /** @type {boolean | undefined} */
  let hasPages; // whether the build wrote pages; undefined before it writes
  return {
    name: 'sitegate',
    apply: 'build',
    enforce: 'post',
    /** @param {{ name: string }} environment */
    applyToEnvironment: ({ name }) => name === 'client', // the build for browsers
    /** @param {typeof config} resolved */
    configResolved(resolved) {
      config = resolved;
    },
    /**
     * @param {unknown} _
     * @param {object} bundle
     */
    writeBundle(_, bundle) {
      hasPages = Object.keys(bundle).some((name) => name.endsWith('.html'));
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        if (hasPages === undefined || config.build.ssr) return; // a failed build, or a server build
        if (config.build.watch) {
          skipInWatchMode();
          return;
        }
        if (!hasPages) {
          throw new Error('sitegate: Vite wrote no page. If a framework writes pages later, use its plugin (`sitegate/astro`, `sitegate/vitepress`), or run `sitegate check` after the build');
        }
        hasPages = undefined;
        const folder = resolve(config.root, config.build.outDir);
        await gate({ plugin: 'sitegate/vite', folder, project: config.root, site: { 'base-path': basePath(config.base) }, sources: ['**/*.html', 'src/**', 'public/**'] }, options);
      },
    },
  };
}
