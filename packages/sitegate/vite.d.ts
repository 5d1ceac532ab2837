/** Checks the site that Vite builds. */
import type { GateOptions } from './index.js';

/** A Vite plugin, declared without the types of Vite. */
export interface SitegateVitePlugin {
  name: 'sitegate';
  apply: 'build';
  enforce: 'post';
  applyToEnvironment(environment: { name: string }): boolean;
  configResolved(config: unknown): void;
  writeBundle(options: unknown, bundle: object): void;
  closeBundle: { order: 'post'; sequential: true; handler(): Promise<void> };
}

/** `plugins: [sitegate()]` in `vite.config.js`. Fails the build if the site does not pass. */
export default function sitegate(options?: GateOptions): SitegateVitePlugin;
