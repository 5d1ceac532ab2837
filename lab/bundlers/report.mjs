// Reports the results: a table, the files behind its numbers, and the page in docs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/run.mjs';

/**
 * The result of a variant: what a missing file broke in a browser, and the findings of sitegate.
 *
 * @typedef {object} Result
 * @property {string} variant
 * @property {string} versions
 * @property {number} steps
 * @property {string[]} falseErrors
 * @property {string[]} unsteady
 * @property {string[]} errors
 * @property {(import('./truth.mjs').Truth['files'][number] & { reported: string[], warnings: string[] })[]} files
 */

const page = join(root, 'docs/internals/bundlers.md');
const { begin, end } = { begin: '<!-- table: written by lab/bundlers/run -->', end: '<!-- end of the table -->' };

/**
 * Counts the results of a variant.
 *
 * @param {Result} result
 */
export function count({ files, falseErrors }) {
  const broken = files.filter(({ broken: one }) => one !== undefined);
  const calm = files.filter(({ broken: one }) => one === undefined);
  const noticed = broken.filter(({ reported }) => reported.length > 0).length;
  const warned = broken.filter(({ reported, warnings }) => reported.length === 0 && warnings.length > 0).length;
  return {
    files: files.length,
    break: broken.length,
    noticed,
    warned,
    missed: broken.length - noticed - warned,
    needless: calm.filter(({ reported }) => reported.length > 0).length,
    wrong: falseErrors.length,
  };
}

/** Without `missed` and `wrong`: the page has only results without either. So all others that break are noticed. */
const columns = /** @type {const} */ (['files', 'break', 'warned', 'needless']);
const titles = ['output of', 'files', 'break', 'only warned', 'reported, nothing broke'];

/** @param {(string | number)[]} cells */
const row = (cells) => `| ${cells.join(' | ')} |`;

/** @param {Result} result */
const title = ({ variant, versions }) => (versions === '' ? variant : `${variant} (${versions})`);

/** @param {ReturnType<typeof count>} counts */
const numbers = (counts) => columns.map((column) => counts[column]);

/** @param {Result} result */
const measured = (result) => [title(result), ...numbers(count(result))].map(String);

/**
 * Splits the title of a row into its variants and their versions.
 *
 * @param {string[]} cells
 */
function variants([heading = '']) {
  const [, names = '', about = ''] = /^(.*?)( \(.*\))?$/.exec(heading) ?? [];
  return { names: names.split(', '), about };
}

/**
 * Joins variants of the same versions with the same numbers into one row.
 *
 * @param {string[][]} rows
 */
function grouped(rows) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const cells of rows) {
    const { names, about } = variants(cells);
    const key = [about, ...cells.slice(1)].join(' | ');
    groups.set(key, [...(groups.get(key) ?? []), ...names]);
  }
  return [...groups].map(([key, names]) => `| ${names.join(', ')}${key} |`);
}

/**
 * Returns the table: the rows of all variants, and their sum.
 *
 * @param {string[][]} rows
 */
function joined(rows) {
  const sums = columns.map((_, at) => rows.reduce((sum, cells) => sum + Number(cells[at + 1]), 0));
  return [row(titles), row(['---', ...columns.map(() => '---:')]), ...grouped(rows), row([`all ${rows.length}`, ...sums])].join('\n');
}

/** @param {Result[]} results */
export const table = (results) => joined(results.map(measured));

/**
 * Describes the results of a variant for people.
 *
 * @param {Result} result
 */
export function details({ variant, files, falseErrors, unsteady, errors }) {
  const lines = [];
  for (const text of unsteady) lines.push(`  ignored, because it differs between walks: ${text}`);
  for (const text of errors) lines.push(`  the intact site raises an error: ${text}`);
  for (const text of falseErrors) lines.push(`  false error: ${text}`);
  for (const { file, broken, reported, warnings } of files) {
    const missed = warnings.length > 0 ? 'warned' : 'missed';
    if (broken !== undefined && reported.length === 0) lines.push(`  ${missed}: ${file} (${broken.parts.join(', ')} at ${broken.at})`);
    if (broken === undefined && reported.length > 0) lines.push(`  reported, nothing broke: ${file}: ${reported[0]}`);
  }
  return [variant, ...lines].join('\n');
}

/**
 * Returns the ground truth only: a line for each file.
 *
 * @param {import('./truth.mjs').Truth} truth
 */
export function breaks({ files }) {
  return files.map(({ file, broken }) => `${broken === undefined ? 'calm' : 'break'} ${file}\n`).toSorted().join('');
}

/**
 * Replaces the rows of the measured variants in the page. The other rows stay.
 *
 * @param {Result[]} results
 * @param {string[]} order The names of all variants.
 */
export function write(results, order) {
  const old = readFileSync(page, 'utf8');
  const from = old.indexOf(begin);
  const to = old.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${page} has no place for the table: ${begin} … ${end}`);
  const kept = old.slice(from, to).split('\n').filter((line) => line.startsWith('| ')).map((line) => line.slice(2, -2).split(' | '));
  const each = [...kept, ...results.map(measured)].flatMap((cells) => {
    const { names, about } = variants(cells);
    return names.map((name) => /** @type {[string, string[]]} */ ([name, [`${name}${about}`, ...cells.slice(1)]]));
  });
  const rows = new Map(each);
  const text = joined(order.map((name) => rows.get(name)).filter((cells) => cells !== undefined));
  writeFileSync(page, `${old.slice(0, from + begin.length)}\n\n${text}\n\n${old.slice(to)}`);
}
