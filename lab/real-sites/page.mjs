// Writes the table of docs/real-sites.md from recipes and expectations.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../scripts/run.mjs';
import { expected, isLookedAt } from './expectations.mjs';
import { known, recipe } from './recipes.mjs';

const page = join(root, 'docs', 'real-sites.md');
/** @type {Record<string, [findings: number, lines: number]>} */
const before = JSON.parse(readFileSync(fileURLToPath(new URL('before.json', import.meta.url)), 'utf8'));
const { begin, end } = { begin: '<!-- table: written by lab/real-sites/run -->', end: '<!-- end of the table -->' };

const titles = ['site', 'made by', 'of', 'pages', 'errors', 'with `init`', 'warnings', 'with `init`', 'findings before', 'lines before'];

/**
 * Formats the pinned versions of a recipe for people.
 *
 * @param {import('./recipes.mjs').Steps} recipe
 */
const pinned = ({ debian, create, pack, sdist, pip, npm }) => [debian?.[0], create?.[0], pack, sdist, pip?.[0], npm?.[0]].find((one) => one !== undefined) ?? '';

/**
 * Sums the findings and causes of all rules at a level.
 *
 * @param {import('./expectations.mjs').Rules} rules
 * @param {'bare' | 'init'} way
 */
function sum(rules, way) {
  const all = Object.values(rules).map((counts) => counts[way]);
  const findings = all.reduce((total, one) => total + one[0], 0);
  const causes = all.reduce((total, one) => total + one[1], 0);
  return findings === 0 ? '0' : `${findings} (${causes})`;
}

/** @param {string} site */
function row(site) {
  const { generator, ...rest } = recipe(site);
  const { pages, errors, warnings } = expected(site);
  const [findings, lines] = before[site] ?? ['', ''];
  return [site, generator, pinned(rest), pages, ...[errors, warnings].flatMap((rules) => [sum(rules, 'bare'), sum(rules, 'init')]), findings, lines];
}

/** Writes the table between its marks in the page. */
export function write() {
  if (!existsSync(page)) throw new Error(`${page} is missing`);
  const old = readFileSync(page, 'utf8');
  const [from, to] = [old.indexOf(begin), old.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for the table: ${begin} … ${end}`);
  const rows = [titles, ['---', '---', '---', ...titles.slice(3).map(() => '---:')], ...known().filter(isLookedAt).map(row)];
  const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  writeFileSync(page, `${old.slice(0, from + begin.length)}\n\n${table}\n\n${old.slice(to)}`);
}
