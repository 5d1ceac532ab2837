// Compares the broken links that sitegate and hyperlink find, by page and target path.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { work } from './corpora.mjs';

/**
 * @typedef {import('./measure.mjs').Command} Command
 * @typedef {import('../../packages/sitegate/report.d.ts').Report} Report
 */

/**
 * Returns the output of a program, through a file because it may be large.
 *
 * @param {Command} command
 */
function printed([program, ...args]) {
  const path = join(work, 'printed');
  const file = openSync(path, 'w');
  const { error } = spawnSync(program, args, { stdio: ['ignore', file, 'ignore'] });
  closeSync(file);
  if (error) throw error;
  const text = readFileSync(path);
  rmSync(path);
  return text;
}

/**
 * Returns the JSON report of a site.
 *
 * @param {Command} command
 * @returns {Report}
 */
export const report = (command) => JSON.parse(printed(command).toString());

const links = new Set(['broken-link', 'missing-asset', 'broken-import', 'broken-redirect', 'broken-anchor']);

/**
 * Normalizes a target: a folder equals its index page, and a missing page has no anchor.
 *
 * @param {string} path
 */
const plain = (path) => path.replace(/\/{2,}/gu, '/').replace(/(?:\/index\.html?|\/)(?=#|$)/u, '');
/**
 * @param {Set<string>} some
 * @param {Set<string>} others
 */
const without = (some, others) => [...some].filter((one) => !others.has(one)).length;

/**
 * Returns the broken links of a report, each as page and target.
 *
 * @param {Report} report
 */
export function ours({ findings }) {
  return new Set(
    findings.flatMap(({ rule, file, url }) => {
      if (!links.has(rule) || url === undefined || url === null) return [];
      const { pathname, hash } = new URL(url, `http://site/${file}`);
      return [`${file} ${plain(pathname)}${rule === 'broken-anchor' ? hash : ''}`];
    }),
  );
}

/**
 * Returns the broken links in the output of hyperlink: the path of a page, and below it the targets of its links.
 *
 * @param {Command} command
 * @param {string} site
 */
export function theirs(command, site) {
  const found = new Set();
  let page = '';
  for (const line of printed(command).toString().split('\n')) {
    const target = /^ {2}error: bad link (.*?)(?: at lines? [\d, ]+)?$/u.exec(line)?.[1];
    if (target === undefined) page = line === '' ? page : relative(site, line);
    else found.add(`${page} ${plain(target)}`);
  }
  return found;
}

/**
 * Counts the links that both find, and those that only one finds.
 *
 * @param {Set<string>} mine
 * @param {Set<string>} printedOnes
 */
export function compare(mine, printedOnes) {
  // If the page does not exist, hyperlink also prints the anchor.
  const others = new Set([...printedOnes].map((one) => {
    const [page = one] = one.split('#');
    return mine.has(page) ? page : one;
  }));
  return { both: [...mine].filter((one) => others.has(one)).length, mine: without(mine, others), others: without(others, mine) };
}
