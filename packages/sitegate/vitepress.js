// Checks the site that VitePress builds: `buildEnd: sitegate()`.
import { join, relative } from 'node:path';
import { basePath, gate, origin } from './gate.js';

/** @param {import('./index.d.ts').GateOptions} options */
export default function sitegate(options = {}) {
  /** @param {import('./vitepress.d.ts').VitePressSite} built */
  return ({ root, srcDir, outDir, site, cleanUrls, sitemap }) => {
    const known = { origin: origin(sitemap?.hostname), 'base-path': basePath(site.base), 'clean-urls': cleanUrls };
    const pages = relative(root, srcDir);
    const settings = ['.vitepress/config*', '.vitepress/config/**', '.vitepress/theme/**'];
    const sources = [join(pages, '**/*.md'), join(pages, 'public/**'), ...settings];
    return gate({ plugin: 'sitegate/vitepress', folder: outDir, project: root, site: known, sources }, options);
  };
}
