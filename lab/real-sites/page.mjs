// Writes the table of docs/internals/real-sites.md from the expectations.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/run.mjs';
import { expected, isLookedAt } from './expectations.mjs';
import { known } from './recipes.mjs';

const page = join(root, 'docs/internals/real-sites.md');
const { begin, end } = { begin: '<!-- table: written by lab/real-sites/run -->', end: '<!-- end of the table -->' };

/** @typedef {{ site: string } & import('./expectations.mjs').Expectation} Result */

/**
 * Sums the findings of all rules at a level.
 *
 * @param {import('./expectations.mjs').Rules[]} levels
 * @param {'bare' | 'init'} way
 * @returns {import('./expectations.mjs').Counts}
 */
function sum(levels, way) {
  const all = levels.flatMap((rules) => Object.values(rules)).map((counts) => counts[way]);
  return [all.reduce((total, one) => total + one[0], 0), all.reduce((total, one) => total + one[1], 0)];
}

/**
 * Returns the findings and causes without a contract, and those with the contract of `init` if they differ.
 *
 * @param {import('./expectations.mjs').Rules[]} levels
 */
function sums(levels) {
  const [bare, init] = [sum(levels, 'bare'), sum(levels, 'init')].map(([findings, causes]) => (findings === 0 ? '0' : `${findings} (${causes})`));
  return bare === init ? bare : `${bare}, ${init} with \`init\``;
}

/** @param {Result} result */
const errors = (result) => sum([result.errors], 'bare')[0];

/** @param {Result} result */
const named = (result) => (errors(result) === 0 ? result.site : `${result.site} ${sums([result.errors])}`);

/**
 * Returns the table: sites with 1,000 errors or more, with fewer, and with none, and all.
 *
 * @param {Result[]} results
 */
function table(results) {
  const sorted = results.toSorted((a, b) => errors(b) - errors(a));
  /** @param {string} sites @param {Result[]} group */
  const row = (sites, group) => {
    const pages = group.reduce((total, one) => total + one.pages, 0);
    return [group.length, sites, pages, sums(group.map((one) => one.errors)), sums(group.map((one) => one.warnings))];
  };
  const groups = [
    sorted.filter((one) => errors(one) >= 1000),
    sorted.filter((one) => errors(one) > 0 && errors(one) < 1000),
    sorted.filter((one) => errors(one) === 0),
  ];
  const rows = [...groups.map((group) => row(group.map(named).join('; '), group)), row('all', sorted)];
  return [['', 'sites', 'pages', 'errors', 'warnings'], ['---:', '---', '---:', '---:', '---:'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Writes the table between its marks in the page. */
export function write() {
  if (!existsSync(page)) throw new Error(`${page} is missing`);
  const old = readFileSync(page, 'utf8');
  const [from, to] = [old.indexOf(begin), old.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for the table: ${begin} … ${end}`);
  const results = known().filter(isLookedAt).map((site) => Object.assign(expected(site), { site }));
  writeFileSync(page, `${old.slice(0, from + begin.length)}\n\n${table(results)}\n\n${old.slice(to)}`);
}
