// Reports the results: a table, the files behind its numbers, and the page in docs.
import { rewriteTable, table } from '../table.mjs';

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
  return [...groups].map(([key, names]) => {
    const [about, ...numbersOf] = key.split(' | ');
    return [`${names.join(', ')}${about}`].concat(numbersOf);
  });
}

/**
 * Returns the table: the rows of all variants, and their sum.
 *
 * @param {string[][]} rows
 */
function joined(rows) {
  const sums = columns.map((_, at) => rows.reduce((sum, cells) => sum + Number(cells[at + 1]), 0));
  return table(titles, [...grouped(rows), [`all ${rows.length}`, ...sums]]);
}

/** @param {Result[]} results */
export const tableOf = (results) => joined(results.map(measured));

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
  rewriteTable('bundlers', 'bundlers', (old) => {
    const kept = old.split('\n').map((line) => line.slice(2, -2).split(' | '));
    const each = [...kept, ...results.map(measured)].flatMap((cells) => {
      const { names, about } = variants(cells);
      return names.map((name) => /** @type {[string, string[]]} */ ([name, [`${name}${about}`, ...cells.slice(1)]]));
    });
    const rows = new Map(each);
    return joined(order.map((name) => rows.get(name)).filter((cells) => cells !== undefined));
  });
}
