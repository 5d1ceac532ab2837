// Filters the elements that Vike adds to a page: styles and fonts, but nothing that delays the first paint.
import type { InjectFilterEntry } from 'vike/types';

/** Fonts that only some pages need, by a part of their names, with their characters as in styles/site.css. */
const parts = [
  { name: '-latin.', letters: /[À-ÖØ-èê-ÿ]/ },
  { name: '-latin-ext.', letters: /[Ā-ſ]/ },
];

/** Returns the filter for a page with this text: fonts and styles early, but those of `later`, and no scripts. */
export function injectFilter(words: string, later: readonly string[]): (assets: InjectFilterEntry[]) => void {
  const unused = words.includes('data-clause') ? /\bnewsreader\./ : /newsreader-text\./;
  const isNeeded = (font: string) => !unused.test(font) && parts.every(({ name, letters }) => !font.includes(name) || letters.test(words));
  return (assets) => {
    for (const asset of assets) {
      if ((asset.assetType === 'style' && !later.includes(asset.src.slice(1))) || (asset.assetType === 'font' && isNeeded(asset.src))) asset.inject = 'HTML_BEGIN';
      else asset.inject = false;
    }
  };
}
