// Compares the broken links that sitegate and hyperlink find, by page and by target path.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { work } from './corpora.mjs';

/**
 * @typedef {import('./measure.mjs').Command} Command
 * @typedef {import('../../packages/sitegate/report.d.ts').Report} Report
 */

/**
 * Returns the output of a program, through a file, since it may be too large for a pipe.
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
 * The JSON report of a site.
 *
 * @param {Command} command
 * @returns {Report}
 */
export const report = (command) => JSON.parse(printed(command).toString());

const links = new Set(['broken-link', 'missing-asset', 'broken-import', 'broken-redirect', 'broken-anchor']);

/**
 * One spelling of where a link leads: a folder and its index page are one, and what is missing has no anchors to be missed.
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
 * The broken links of a report, each as its page and where it leads.
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
 * The same for hyperlink: it prints a page by its path on disk, then the targets of its links.
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
 * How many both find, and how many one finds alone.
 *
 * @param {Set<string>} mine
 * @param {Set<string>} printedOnes
 */
export function compare(mine, printedOnes) {
  // If the page is missing, hyperlink names the anchor, too.
  const others = new Set([...printedOnes].map((one) => {
    const [page = one] = one.split('#');
    return mine.has(page) ? page : one;
  }));
  return { both: [...mine].filter((one) => others.has(one)).length, mine: without(mine, others), others: without(others, mine) };
}
