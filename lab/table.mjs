// Tables of results, and the pages of docs/internals that have them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/run.mjs';

/**
 * Formats a table. All columns but the first are numbers.
 *
 * @param {string[]} titles
 * @param {(string | number)[][]} rows
 */
export const table = (titles, rows) => [titles, titles.map((_, column) => (column === 0 ? '---' : '---:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/**
 * Replaces the table that a lab has written to a page.
 *
 * @param {string} name
 * @param {string} lab
 * @param {(old: string) => string} rewrite - Returns the new table.
 */
export function rewriteTable(name, lab, rewrite) {
  const page = join(root, 'docs/internals', `${name}.md`);
  const [begin, end] = [`<!-- table: written by lab/${lab}/run -->`, '<!-- end of the table -->'];
  const [before, old, after] = readFileSync(page, 'utf8').split(new RegExp(`(?<=${begin})([^]*?)(?=${end})`, 'u'));
  if (old === undefined || after === undefined) throw new Error(`${page} has no place for the table: ${begin} … ${end}`);
  writeFileSync(page, `${before}\n\n${rewrite(old.trim())}\n\n${after}`);
}
