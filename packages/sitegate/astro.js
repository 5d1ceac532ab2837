// Checks the site that Astro builds: `integrations: [sitegate()]`.
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { basePath, gate, origin } from './gate.js';

/**
 * The fields of Astro's configuration that the plugin reads.
 *
 * @typedef {{ site?: string, base: string, trailingSlash: 'always' | 'never' | 'ignore', root: URL, srcDir: URL, publicDir: URL }} AstroConfig
 */

/** The contract's `trailing-slash` for each `trailingSlash` of Astro. With `ignore`, the host decides. */
const trailingSlashes = /** @type {const} */ ({ always: 'redirect', never: 'never', ignore: undefined });

/** @param {import('./index.d.ts').GateOptions} options */
export default function sitegate(options = {}) {
  /** @type {AstroConfig} */
  let config;
  return {
    name: 'sitegate',
    hooks: {
      /** @param {{ config: AstroConfig }} found */
      'astro:config:done': ({ config: resolved }) => {
        config = resolved;
      },
      /** @param {{ dir: URL }} built */
      'astro:build:done': ({ dir }) => {
        const site = { origin: origin(config.site), 'base-path': basePath(config.base), 'trailing-slash': trailingSlashes[config.trailingSlash] };
        const project = fileURLToPath(config.root);
        const sources = [config.srcDir, config.publicDir].map((folder) => join(relative(project, fileURLToPath(folder)), '**'));
        return gate({ plugin: 'sitegate/astro', folder: fileURLToPath(dir), project, site, sources }, options);
      },
    },
  };
}
