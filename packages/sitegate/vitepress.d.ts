/** Checks the site that VitePress builds. */
import type { GateOptions } from './index.js';

/** The fields of VitePress's `SiteConfig` that the plugin reads. */
export interface VitePressSite {
  root: string;
  srcDir: string;
  outDir: string;
  site: { base: string };
  cleanUrls: boolean;
  sitemap?: { hostname: string };
}

/** `buildEnd: sitegate()` in `.vitepress/config.js`. Fails the build if the site does not pass. */
export default function sitegate(options?: GateOptions): (site: VitePressSite) => Promise<void>;
