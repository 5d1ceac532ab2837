/** Checks the site that Astro builds. */
import type { GateOptions } from './index.js';

/** An Astro integration, declared without the types of Astro. */
export interface SitegateIntegration {
  name: 'sitegate';
  hooks: {
    'astro:config:done'(found: { config: unknown }): void;
    'astro:build:done'(built: { dir: URL }): Promise<void>;
  };
}

/** `integrations: [sitegate()]` in `astro.config.mjs`, after integrations that write files. Fails the build if the site does not pass. */
export default function sitegate(options?: GateOptions): SitegateIntegration;
