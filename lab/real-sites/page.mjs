// Writes the table of docs/internals/real-sites.md from the expectations.
import { rewriteTable, table } from '../table.mjs';
import { expected, isLookedAt } from './expectations.mjs';
import { known } from './recipes.mjs';

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
  return bare === init ? `${bare}` : `${bare}, ${init} with \`init\``;
}

/**
 * Returns the table: all sites, those with most errors first, and their sum.
 *
 * @param {Result[]} results
 */
function tableOf(results) {
  /** @param {string} name @param {Result[]} sites */
  const row = (name, sites) => {
    const pages = sites.reduce((total, one) => total + one.pages, 0);
    return [name, pages, sums(sites.map((one) => one.errors)), sums(sites.map((one) => one.warnings))];
  };
  const sorted = results.toSorted((a, b) => sum([b.errors], 'bare')[0] - sum([a.errors], 'bare')[0]);
  const rows = [...sorted.map((one) => row(one.site, [one])), row(`all ${results.length}`, results)];
  return table(['site', 'pages', 'errors', 'warnings'], rows);
}

/** Writes the table to the page. */
export function write() {
  const results = known().filter(isLookedAt).map((site) => Object.assign(expected(site), { site }));
  rewriteTable('real-sites', 'real-sites', () => tableOf(results));
}
