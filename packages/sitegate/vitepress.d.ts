/** Gates what VitePress writes. */
import type { GateOptions } from './index.js';

/** What is read of VitePress's `SiteConfig`. */
export interface VitePressSite {
  root: string;
  srcDir: string;
  outDir: string;
  site: { base: string };
  cleanUrls: boolean;
  sitemap?: { hostname: string };
}

/** `buildEnd: sitegate()` in `.vitepress/config.js`: a build whose pages do not pass fails. */
export default function sitegate(options?: GateOptions): (site: VitePressSite) => Promise<void>;
