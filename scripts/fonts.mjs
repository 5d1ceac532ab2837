// Subsets the two variable fonts to the characters and axes that the site uses.
//
//   npm run fonts     writes the fonts of all pages into site/styles/fonts, which are committed
//
// Each build cuts the rare letters: those of European names that the settings and the content have, in files of their own.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const root = new URL('../', import.meta.url);
const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
const letters = `${ascii}\u00a0©§é–—‘’“”…×−·•€`;
// The serif sets no code and no formulas, the monospace font only short lines. Browsers take the rest from a fallback font.
const codeLetters = '*+<=>[\\]^_`{|}~€×•';
const signs = '#*<>@^`|~§€×•—';

/**
 * @typedef {object} Font
 * @property {string} name
 * @property {(part: string) => string} source
 * @property {string} without - Letters that it does not set.
 * @property {object} options
 */

/** @param {string} part */
const newsreader = (part) => `node_modules/@fontsource-variable/newsreader/files/newsreader-${part}-standard-normal.woff2`;
/** @param {number} size */
const serifOptions = (size) => ({
  variationAxes: { wght: { min: 400, max: 600 }, opsz: size },
  keepFeatures: ['kern', 'liga', 'tnum', 'lnum'],
  noLayoutClosure: true,
  // Drops the kerning per weight, which takes 4 kB without a visible difference: all weights use the regular one.
  dropTables: ['GDEF'],
});

/** @type {Font} */
const serif = { name: 'newsreader', source: newsreader, without: `${codeLetters}#@§`, options: serifOptions(40) };
/** @type {readonly Font[]} */
const fonts = [
  serif,
  // Legal pages have addresses and clauses.
  { name: 'newsreader-text', source: newsreader, without: codeLetters, options: serifOptions(16) },
  {
    name: 'jetbrains-mono',
    source: (part) => `node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-${part}-wght-normal.woff2`,
    without: signs,
    options: { variationAxes: { wght: { min: 400, max: 600 } }, keepFeatures: [], noLayoutClosure: true },
  },
];

/** The rare letters: Latin-1 and Latin Extended-A, each in a file of the package, as in site/styles/site.css and site/renderer/inject.ts. */
const parts = [
  { part: 'latin', letters: /[À-ÖØ-èê-ÿ]/g },
  { part: 'latin-ext', letters: /[Ā-ſ]/g },
];

/** Maximum number of rare letters, for which pages have room. Browsers take others from a fallback font. */
const most = 8;

/** Tables that a few letters need not. */
const tables = ['GDEF', 'GPOS', 'GSUB', 'MVAR', 'STAT', 'gasp'];

/**
 * Writes a font with some letters.
 *
 * @param {string} source - The file of the package.
 * @param {string} text - The letters.
 * @param {object} options - Axes and tables.
 * @param {URL} target
 */
async function cut(source, text, options, target) {
  const bytes = await subsetFont(await readFile(new URL(source, root)), text, { targetFormat: 'woff2', ...options });
  await writeFile(target, bytes);
  return `${fileURLToPath(target)}: ${bytes.length} bytes`;
}

/** Returns all that a page may say: the name, if the environment has it, the settings and the content. */
async function allWords() {
  const content = new URL('site/content/', root);
  const files = (await readdir(content, { recursive: true })).filter((name) => /\.(json|md|ts)$/.test(name) && !name.endsWith('.test.ts')).toSorted();
  const texts = await Promise.all(files.map((name) => readFile(new URL(name.replaceAll('\\', '/'), content), 'utf8')));
  // The name first, because there is no room for all letters.
  return [process.env['SITE_NAME'] ?? '', await readFile(new URL('site.json', content), 'utf8'), ...texts].join('');
}

/**
 * Writes the serif's fonts of the rare letters into site/dist/fonts. Pages load those that they need. The monospace font has
 * none: it sets only small type, with fallback fonts of the same width.
 */
export async function cutRareLetters() {
  const folder = new URL('site/dist/fonts/', root);
  await mkdir(folder, { recursive: true });
  // As in browsers, which compose letters for the font.
  const words = (await allWords()).normalize('NFC');
  const used = [...new Set(words.match(/[À-ÖØ-èê-ſ]/g))].slice(0, most).join('');
  for (const { part, letters: pattern } of parts) {
    // A font has at least one letter.
    const text = used.match(pattern)?.join('') ?? 'öŠ';
    await cut(serif.source(part), text, { ...serif.options, keepFeatures: [], dropTables: tables }, new URL(`${serif.name}-${part}.woff2`, folder));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'rare') await cutRareLetters();
  else {
    for (const font of fonts) {
      const kept = [...letters].filter((letter) => !font.without.includes(letter)).join('');
      console.log(await cut(font.source('latin'), kept, font.options, new URL(`site/styles/fonts/${font.name}.woff2`, root)));
    }
  }
}
