// Draws what a check of docs/sample prints, for the README: docs/public/terminal-light.svg and terminal-dark.svg.
//
//   npm run picture             writes them
//   npm run picture -- --check  says whether they show what is printed today
import { readFile, writeFile } from 'node:fs/promises';
import { sampleOutput } from '../docs/.vitepress/pages/program.mjs';
import { buildForTests } from './debug.mjs';
import { root, sitegate } from './run.mjs';

/**
 * @typedef {import('../docs/.vitepress/pages/ansi.mjs').Span} Span
 * @typedef {Record<string, string>} Colours
 */

const themes = {
  light: { paper: '#fbfcfb', frame: '#b9c6bf', ink: '#14201a', dim: '#56665e', red: '#b8261a', green: '#0a6b45', yellow: '#8a5300', blue: '#1f5fa8' },
  dark: { paper: '#0c1311', frame: '#3a4d45', ink: '#e4ece7', dim: '#90a299', red: '#ff8475', green: '#4fd39a', yellow: '#f0b95c', blue: '#86bdf5' },
};

/** Of a letter, and of a line, in pixels. */
const { letter, line, margin } = { letter: 8.4, line: 20, margin: 24 };

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * One span at its column, as wide as its letters are in a terminal, whatever font there is.
 *
 * @param {Span} span
 * @param {number} column
 * @param {Colours} colours
 */
function drawn({ text, style }, column, colours) {
  const colour = style.map((name) => colours[name]).findLast((one) => one !== undefined) ?? colours.ink;
  const bold = style.includes('bold') ? ' font-weight="700"' : '';
  return `<tspan x="${(margin + column * letter).toFixed(1)}" fill="${colour}" textLength="${(text.length * letter).toFixed(1)}"${bold}>${escaped(text)}</tspan>`;
}

/**
 * The lines as an SVG document.
 *
 * @param {Span[][]} lines
 * @param {Colours} colours
 */
function picture(lines, colours) {
  const width = Math.ceil(2 * margin + letter * Math.max(...lines.map((spans) => spans.reduce((sum, { text }) => sum + text.length, 0))));
  const height = 2 * margin + line * lines.length;
  const rows = lines.map((spans, row) => {
    let column = 0;
    const parts = spans.map((span) => {
      const part = drawn(span, column, colours);
      column += span.text.length;
      return part;
    });
    return `<text y="${margin + 14 + row * line}">${parts.join('')}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="6" fill="${colours.paper}" stroke="${colours.frame}"/>
${rows.filter((row) => row.includes('tspan')).join('\n')}
</svg>
`;
}

const command = [{ text: '$ ', style: ['dim'] }, { text: 'sitegate check', style: [] }];
buildForTests();
const lines = [command, ...sampleOutput(sitegate('debug'))];
const asked = process.argv.includes('--check');
for (const [theme, colours] of Object.entries(themes)) {
  const file = `${root}docs/public/terminal-${theme}.svg`;
  const text = picture(lines, colours);
  if (!asked) await writeFile(file, text);
  else if ((await readFile(file, 'utf8')) !== text) {
    console.error(`${file} shows something else than is printed: \`npm run picture\` draws it anew`);
    process.exitCode = 1;
  }
}
