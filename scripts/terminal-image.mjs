// Draws the output of a check of docs/sample: terminal-light.svg and terminal-dark.svg for the README, and
// terminal-COLUMNS.svg for terminals of four widths.
//
//   npm run terminal-image             writes the images
//   npm run terminal-image -- --check  fails if they are out of date
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { spans as parseSpans } from '../docs/.vitepress/pages/ansi.mjs';
import { buildForTests } from './debug.mjs';
import { root, sitegate } from './run.mjs';

/**
 * @typedef {import('../docs/.vitepress/pages/ansi.mjs').Span} Span
 * @typedef {Record<string, string>} Colors
 */

const themes = {
  light: { paper: '#fbfcfb', frame: '#b9c6bf', ink: '#14201a', dim: '#56665e', red: '#b8261a', green: '#0a6b45', yellow: '#8a5300', blue: '#1f5fa8' },
  dark: { paper: '#0c1311', frame: '#3a4d45', ink: '#e4ece7', dim: '#90a299', red: '#ff8475', green: '#4fd39a', yellow: '#f0b95c', blue: '#86bdf5' },
};

/** Width of a character, height of a line, and margin, in pixels. */
const { character, line, margin } = { character: 8.4, line: 20, margin: 24 };

/** @param {string} text */
const escaped = (text) => text.replaceAll(' ', '\u00a0').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Draws a span at its column, as wide as in a terminal with any font.
 *
 * @param {Span} span
 * @param {number} column
 * @param {Colors} colors
 */
function drawSpan({ text, style }, column, colors) {
  const color = style.map((name) => colors[name]).findLast((one) => one !== undefined) ?? colors.ink;
  const bold = style.includes('bold') ? ' font-weight="700"' : '';
  return `<tspan x="${(margin + column * character).toFixed(1)}" fill="${color}" textLength="${(text.length * character).toFixed(1)}"${bold}>${escaped(text)}</tspan>`;
}

/**
 * Draws lines as an SVG document.
 *
 * @param {Span[][]} lines
 * @param {Colors} colors
 */
function drawLines(lines, colors) {
  const width = Math.ceil(2 * margin + character * Math.max(...lines.map((spans) => spans.reduce((sum, { text }) => sum + text.length, 0))));
  const height = 2 * margin + line * lines.length;
  const rows = lines.map((spans, row) => {
    let column = 0;
    const parts = spans.map((span) => {
      const part = drawSpan(span, column, colors);
      column += span.text.length;
      return part;
    });
    return `<text y="${margin + 14 + row * line}">${parts.join('')}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="6" fill="${colors.paper}" stroke="${colors.frame}"/>
${rows.filter((row) => row.includes('tspan')).join('\n')}
</svg>
`;
}

/**
 * Returns the output of a check of the sample, with a constant time, so that the image is reproducible.
 *
 * @param {number} columns
 */
function sampleOutput(columns) {
  const env = { ...process.env, CLICOLOR_FORCE: '1', NO_COLOR: '', CI: '', COLUMNS: String(columns) };
  const { status, stdout, stderr } = spawnSync(sitegate('debug'), ['check'], { cwd: `${root}docs/sample`, encoding: 'utf8', env });
  if (status !== 1) throw new Error(`sitegate check exited with ${status}\n${stderr}`);
  return parseSpans(stdout.replace(/ in [\d.]+ m?s/, ' in 2 ms').trimEnd());
}

const command = [{ text: '$ ', style: ['dim'] }, { text: 'sitegate check', style: [] }];
buildForTests();
/**
 * Writes an image, or compares it with `--check`.
 *
 * @param {string} name - Its path in docs/.
 * @param {number} columns
 * @param {Colors} colors
 */
async function image(name, columns, colors) {
  const file = `${root}docs/${name}.svg`;
  const text = drawLines([command, ...sampleOutput(columns)], colors);
  if (!process.argv.includes('--check')) await writeFile(file, text);
  else if ((await readFile(file, 'utf8')) !== text) {
    console.error(`${file} is out of date: run \`npm run terminal-image\``);
    process.exitCode = 1;
  }
}

for (const [theme, colors] of Object.entries(themes)) await image(`public/terminal-${theme}`, 100, colors);
for (const columns of [60, 80, 120, 200]) await image(`internals/pictures/terminal-${columns}`, columns, themes.light);
