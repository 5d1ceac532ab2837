// Measures how time and memory grow with a site: checks sites of 1,000 to 1,000,000 small pages, prints a table, and draws
// docs/internals/growth.svg.
//
//   npm run bench:growth [-- --rounds N] [--sitegate PATH]
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measuredProgram, root } from '../../scripts/run.mjs';
import { table } from '../table.mjs';
import { corpus } from './corpora.mjs';
import { inTurn } from './measure.mjs';

const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '3' }, sitegate: { type: 'string' } } });
const sizes = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
const number = new Intl.NumberFormat('en-US');

/**
 * Returns a logarithmic scale.
 *
 * @param {number} from
 * @param {number} to
 * @param {number} start
 * @param {number} end
 * @returns {(value: number) => number}
 */
const scale = (from, to, start, end) => (value) => start + ((end - start) * (Math.log10(value) - Math.log10(from))) / (Math.log10(to) - Math.log10(from));

/**
 * @param {number} from
 * @param {number} to
 */
const powers = (from, to) => Array.from({ length: Math.round(Math.log10(to / from)) + 1 }, (_, power) => from * 10 ** power);

/**
 * Draws a chart: points, a line through them, and both axes.
 *
 * @param {number} left
 * @param {string} title
 * @param {string} unit
 * @param {number[]} values
 */
function panel(left, title, unit, values) {
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  const x = scale(1_000, 1_000_000, left + 70, left + 400);
  const y = scale(low, high, 270, 60);
  const points = values.map((value, index) => [x(sizes[index] ?? NaN).toFixed(1), y(value).toFixed(1)]);
  const columns = powers(1_000, 1_000_000).map((pages) => `<path class="grid" d="M${x(pages).toFixed(1)} 60V270"/><text class="note" x="${x(pages).toFixed(1)}" y="292">${number.format(pages)}</text>`);
  const rows = powers(low, high).map((value) => `<path class="grid" d="M${left + 70} ${y(value).toFixed(1)}H${left + 400}"/><text class="note end" x="${left + 62}" y="${(y(value) + 4).toFixed(1)}">${number.format(value)}${unit}</text>`);
  const dots = points.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="4"/>`);
  return `<text x="${left + 235}" y="38">${title}</text>\n${[...columns, ...rows].join('\n')}\n<polyline points="${points.map((point) => point.join(',')).join(' ')}"/>\n${dots.join('\n')}`;
}

/**
 * Draws the charts of all costs.
 *
 * @param {import('./measure.mjs').Cost[]} costs
 */
function picture(costs) {
  const style = `svg { font-family: ui-sans-serif, system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; }
    .paper { fill: #ffffff; stroke: #d1d9e0; } .grid { stroke: #d1d9e0; } polyline { fill: none; stroke: #0969da; stroke-width: 2; } circle { fill: #0969da; }
    text { fill: #1f2328; font-size: 16px; font-weight: 600; text-anchor: middle; } .note { fill: #59636e; font-size: 13px; font-weight: 400; } .end { text-anchor: end; }
    @media (prefers-color-scheme: dark) { .paper { fill: #0d1117; stroke: #3d444d; } .grid { stroke: #3d444d; } polyline { stroke: #4493f8; } circle { fill: #4493f8; } text { fill: #f0f6fc; } .note { fill: #9198a1; } }`;
  const wall = panel(0, 'Seconds, by pages', ' s', costs.map((cost) => cost.wall));
  const memory = panel(430, 'Memory, by pages', ' MiB', costs.map((cost) => cost.memory));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 320" role="img" aria-labelledby="title">\n<title id="title">How time and memory grow with the number of pages</title>\n<style>${style}</style>\n<rect class="paper" x="0.5" y="0.5" width="879" height="319" rx="8"/>\n${wall}\n${memory}\n</svg>\n`;
}

const sitegate = measuredProgram(flags.sitegate);
/** @type {import('./measure.mjs').Command[]} */
const commands = sizes.map((pages) => [sitegate, 'check', corpus(`small-${pages}`), '--no-config']);
const costs = inTurn(commands, Number(flags.rounds));
const rows = costs.map(({ wall, cpu, memory }, index) => {
  const pages = sizes[index] ?? NaN;
  return [number.format(pages), wall.toFixed(3), cpu.toFixed(3), memory.toFixed(0), ((cpu / pages) * 1e6).toFixed(0)];
});
console.log(table(['pages', 'wall s', 'CPU s', 'MiB', 'CPU µs a page'], rows));
writeFileSync(join(root, 'docs/internals/growth.svg'), picture(costs));
