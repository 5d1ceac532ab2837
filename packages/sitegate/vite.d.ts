/** Gates what Vite writes. */
import type { GateOptions } from './index.js';

/** A plugin of Vite, without its types. */
export interface SitegateVitePlugin {
  name: 'sitegate';
  apply: 'build';
  enforce: 'post';
  applyToEnvironment(environment: { name: string }): boolean;
  configResolved(config: unknown): void;
  writeBundle(options: unknown, bundle: object): void;
  closeBundle: { order: 'post'; sequential: true; handler(): Promise<void> };
}

/** `plugins: [sitegate()]` in `vite.config.js`: a build whose pages do not pass fails. */
export default function sitegate(options?: GateOptions): SitegateVitePlugin;
