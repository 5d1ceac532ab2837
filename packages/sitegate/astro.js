// Gates what Astro writes: `integrations: [sitegate()]`.
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { basePath, gate, origin } from './gate.js';

/**
 * What is read of Astro's configuration.
 *
 * @typedef {{ site?: string, base: string, trailingSlash: 'always' | 'never' | 'ignore', root: URL, srcDir: URL, publicDir: URL }} AstroConfig
 */

/** What Astro's `trailingSlash` asks of the host; it leaves `ignore` to it. */
const slashes = /** @type {const} */ ({ always: 'redirect', never: 'never', ignore: undefined });

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
        const site = { origin: origin(config.site), 'base-path': basePath(config.base), 'trailing-slash': slashes[config.trailingSlash] };
        const project = fileURLToPath(config.root);
        const sources = [config.srcDir, config.publicDir].map((folder) => join(relative(project, fileURLToPath(folder)), '**'));
        return gate({ folder: fileURLToPath(dir), project, site, sources }, options);
      },
    },
  };
}
