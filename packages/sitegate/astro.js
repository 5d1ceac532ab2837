// Gates what Astro writes: `integrations: [sitegate()]`.
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
        return gate({ folder: fileURLToPath(dir), project: fileURLToPath(config.root), site }, options);
      },
    },
  };
}
