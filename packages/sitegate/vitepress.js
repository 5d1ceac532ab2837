// Gates what VitePress writes: `buildEnd: sitegate()`.
import { join, relative } from 'node:path';
import { basePath, gate, origin } from './gate.js';

export default function sitegate(options = {}) {
  return ({ root, srcDir, outDir, site, cleanUrls, sitemap }) => {
    const known = { origin: origin(sitemap?.hostname), 'base-path': basePath(site.base), 'clean-urls': cleanUrls };
    const sources = [join(relative(root, srcDir), '**/*.md'), '.vitepress/**'];
    return gate({ folder: outDir, project: root, site: known, sources }, options);
  };
}
