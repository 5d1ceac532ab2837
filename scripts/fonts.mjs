// Subsets the two variable fonts to the characters and axes that the site uses.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const root = new URL('../', import.meta.url);
const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
const letters = `${ascii}\u00a0©§é–—‘’“”…×−·•€`;
// The serif sets no code and no formulas, the monospace font only short lines. Browsers take the rest from a fallback font.
const codeLetters = '*+<=>[\\]^_`{|}~€×•';
const rareLetters = '#*<>@^`|~§€×•—';

// Characters of European names are in separate files: Latin-1 and Latin Extended-A, without those above.
/**
 * @param {number} from
 * @param {number} to
 */
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCharCode(from + i)).filter((letter) => !letters.includes(letter));
const parts = [
  { part: '', source: 'latin', text: letters },
  { part: '-latin', source: 'latin', text: range(0xc0, 0xff).join('') },
  { part: '-latin-ext', source: 'latin-ext', text: range(0x100, 0x17f).join('') },
];

/** @type {{ name: string, source: (part: string) => string, without?: string, only?: string, options: object }[]} */
const fonts = [
  {
    name: 'newsreader',
    source: (part) => `node_modules/@fontsource-variable/newsreader/files/newsreader-${part}-standard-normal.woff2`,
    without: `${codeLetters}#@§`, // Addresses and clauses are on legal pages, in the text cut.
    // Drops the kerning per weight in GDEF, which takes 4 kB without a visible difference: all weights use the regular one.
    options: { variationAxes: { wght: { min: 400, max: 600 }, opsz: 40 }, keepFeatures: ['kern', 'liga', 'tnum', 'lnum'], noLayoutClosure: true, dropTables: ['GDEF'] },
  },
  {
    name: 'newsreader-text',
    source: (part) => `node_modules/@fontsource-variable/newsreader/files/newsreader-${part}-standard-normal.woff2`,
    without: codeLetters,
    only: '',
    options: { variationAxes: { wght: { min: 400, max: 600 }, opsz: 16 }, keepFeatures: ['kern', 'liga', 'tnum', 'lnum'], noLayoutClosure: true, dropTables: ['GDEF'] },
  },
  {
    name: 'jetbrains-mono',
    without: rareLetters,
    source: (part) => `node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-${part}-wght-normal.woff2`,
    options: { variationAxes: { wght: { min: 400, max: 600 } }, keepFeatures: [], noLayoutClosure: true },
  },
];

for (const { name, source, without = '', only, options } of fonts) {
  for (const { part, source: file, text } of parts.filter((entry) => only === undefined || entry.part === only)) {
    const target = `site/styles/fonts/${name}${part}.woff2`;
    const kept = [...text].filter((letter) => !without.includes(letter)).join('');
    const bytes = await subsetFont(await readFile(new URL(source(file), root)), kept, { targetFormat: 'woff2', ...options });
    await writeFile(fileURLToPath(new URL(target, root)), bytes);
    console.log(`${target}: ${bytes.length} bytes`);
  }
}
