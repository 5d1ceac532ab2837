// Decides what vike may write into a page: styles, fonts and the entry script; nothing that competes with the first paint.
import type { InjectFilterEntry } from 'vike/types';

/** Fonts that only some pages need, by a part of their names: the letters each holds, as styles/site.css states them. */
const parts = [
  { name: '-latin.', letters: /[À-ÖØ-èê-ÿ]/ },
  { name: '-latin-ext.', letters: /[Ā-ſ]/ },
];

/** For a page with these words: its fonts and styles early, the entry script last, no module preloads. */
export function injectFilter(words: string): (assets: InjectFilterEntry[]) => void {
  const isNeeded = (font: string) => parts.every(({ name, letters }) => !font.includes(name) || letters.test(words));
  return (assets) => {
    for (const asset of assets) {
      if (asset.assetType === 'style' || (asset.assetType === 'font' && isNeeded(asset.src))) asset.inject = 'HTML_BEGIN';
      else asset.inject = asset.assetType === 'script' && asset.isEntry ? 'HTML_END' : false;
    }
  };
}
