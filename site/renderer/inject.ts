// Filters the elements that Vike adds to a page: styles and fonts, but nothing that delays the first paint.
import type { InjectFilterEntry } from 'vike/types';

/** Fonts that only some pages need, by a part of their names, with their characters as in styles/site.css. */
const parts = [
  { name: '-latin.', letters: /[À-ÖØ-èê-ÿ]/ },
  { name: '-latin-ext.', letters: /[Ā-ſ]/ },
];

/** Returns the filter for a page with this text: its fonts and styles early, and no scripts. */
export function injectFilter(words: string): (assets: InjectFilterEntry[]) => void {
  const unused = words.includes('data-clause') ? /\bnewsreader\./ : /newsreader-text\./;
  const isNeeded = (font: string) => !unused.test(font) && parts.every(({ name, letters }) => !font.includes(name) || letters.test(words));
  // Only feature pages have parts, and only they need the styles in the group `feature` of build/styles.ts.
  const isUsed = (style: string) => words.includes('data-part') || !/\/feature\./.test(style);
  return (assets) => {
    for (const asset of assets) {
      if ((asset.assetType === 'style' && isUsed(asset.src)) || (asset.assetType === 'font' && isNeeded(asset.src))) asset.inject = 'HTML_BEGIN';
      else asset.inject = false;
    }
  };
}
