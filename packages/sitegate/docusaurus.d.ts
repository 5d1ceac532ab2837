/** Checks the site that Docusaurus builds. */
import type { GateOptions } from './index.js';

/** A Docusaurus plugin, declared without the types of Docusaurus. */
export interface SitegateDocusaurusPlugin {
  name: 'sitegate';
  postBuild(built: { outDir: string; siteDir: string; baseUrl: string; siteConfig: { url: string; trailingSlash?: boolean | undefined } }): void;
}

/** `plugins: ['sitegate/docusaurus']` in `docusaurus.config.js`. Fails the build if the site does not pass. */
export default function sitegate(context: unknown, options?: GateOptions): SitegateDocusaurusPlugin;
