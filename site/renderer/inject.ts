// Decides what vike may write into a page: styles, fonts and the entry script; nothing that competes with the first paint.
import type { InjectFilterEntry } from 'vike/types';

/** Fonts and styles early, the entry script last, no module preloads. */
export function injectFilter(assets: InjectFilterEntry[]): void {
  for (const asset of assets) {
    if (asset.assetType === 'font' || asset.assetType === 'style') asset.inject = 'HTML_BEGIN';
    else asset.inject = asset.assetType === 'script' && asset.isEntry ? 'HTML_END' : false;
  }
}
