/** Gates what Astro writes. */
import type { GateOptions } from './index.js';

/** An integration of Astro, without its types. */
export interface SitegateIntegration {
  name: 'sitegate';
  hooks: {
    'astro:config:done'(found: { config: unknown }): void;
    'astro:build:done'(built: { dir: URL }): Promise<void>;
  };
}

/** `integrations: [sitegate()]` in `astro.config.mjs`, behind those that write files: a build whose pages do not pass fails. */
export default function sitegate(options?: GateOptions): SitegateIntegration;
