/** Gates what Docusaurus writes. */
import type { GateOptions } from './index.js';

/** A plugin of Docusaurus, without its types. */
export interface SitegateDocusaurusPlugin {
  name: 'sitegate';
  postBuild(built: { outDir: string; siteDir: string; baseUrl: string; siteConfig: { url: string; trailingSlash?: boolean | undefined } }): void;
}

/** `plugins: ['sitegate/docusaurus']` in `docusaurus.config.js`: a build whose pages do not pass fails. */
export default function sitegate(context: unknown, options?: GateOptions): SitegateDocusaurusPlugin;
