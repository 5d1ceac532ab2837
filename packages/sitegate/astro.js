// Gates what Astro writes: `integrations: [sitegate()]`.
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { basePath, gate, origin } from './gate.js';

/** What Astro's `trailingSlash` asks of the host; it leaves `ignore` to it. */
const slashes = { always: 'redirect', never: 'never' };

export default function sitegate(options = {}) {
  let config;
  return {
    name: 'sitegate',
    hooks: {
      'astro:config:done': ({ config: resolved }) => {
        config = resolved;
      },
      'astro:build:done': ({ dir }) => {
        const site = { origin: origin(config.site), 'base-path': basePath(config.base), 'trailing-slash': slashes[config.trailingSlash] };
        const project = fileURLToPath(config.root);
        const sources = [config.srcDir, config.publicDir].map((folder) => join(relative(project, fileURLToPath(folder)), '**'));
        return gate({ folder: fileURLToPath(dir), project, site, sources }, options);
      },
    },
  };
}
