// Gates what VitePress writes: `buildEnd: sitegate()`.
import { basePath, gate, origin } from './gate.js';

export default function sitegate(options = {}) {
  return ({ root, outDir, site, cleanUrls, sitemap }) => {
    const known = { origin: origin(sitemap?.hostname), 'base-path': basePath(site.base), 'clean-urls': cleanUrls };
    return gate({ folder: outDir, project: root, site: known }, options);
  };
}
