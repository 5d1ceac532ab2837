// Replaces the expressions of GitHub workflows, `${{ … }}`. Those of ours are JavaScript, apart from quotes and names with
// a hyphen. JavaScript's `==` distinguishes case, and GitHub's does not.
import { runInNewContext } from 'node:vm';

/**
 * @typedef {Record<string, unknown>} Context - The values of github, env, matrix, steps and others.
 * @typedef {Record<string, (...args: unknown[]) => unknown>} Functions
 */

/** @param {unknown} value */
export const text = (value) => (value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value));

/**
 * Returns the value of an expression.
 *
 * @param {string} source
 * @param {Context} context
 * @param {Functions} functions
 * @returns {unknown}
 */
export function evaluate(source, context, functions) {
  /** Returns a value by its path. It is empty if one of the properties is missing. @param {string} path */
  const valueOf = (path) => {
    const [name = '', ...keys] = path.split('.');
    if (!(name in context)) throw new Error(`there is no context \`${name}\` for the expression \`${source}\``);
    return keys.reduce((value, key) => /** @type {Context | undefined} */ (value)?.[key], context[name]) ?? '';
  };
  const script = source.replaceAll(/'((?:[^']|'')*)'|\b(?!\w+\()[a-z_][\w.-]*/giu, (path, quoted) =>
    quoted === undefined ? `valueOf(${JSON.stringify(path)})` : JSON.stringify(quoted.replaceAll("''", "'")),
  );
  const contains = (/** @type {unknown} */ whole, /** @type {unknown} */ part) => text(whole).includes(text(part));
  return runInNewContext(script, { valueOf, contains, ...functions });
}

/**
 * Returns a value with its expressions replaced, in strings at any depth.
 *
 * @param {unknown} value
 * @param {Context} context
 * @param {Functions} functions
 * @returns {any}
 */
export function interpolate(value, context, functions) {
  if (Array.isArray(value)) return value.map((one) => interpolate(one, context, functions));
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, interpolate(one, context, functions)]));
  if (typeof value !== 'string') return value;
  return value.replaceAll(/\$\{\{(.*?)\}\}/gsu, (_, expression) => text(evaluate(expression, context, functions)));
}

/**
 * Whether a job or a step runs. Without a status function, it runs only if nothing has failed.
 *
 * @param {unknown} condition
 * @param {Context} context
 * @param {Functions} functions
 */
export function isMet(condition, context, functions) {
  const source = text(condition).replace(/^\$\{\{(.*)\}\}$/su, '$1').trim();
  const hasStatus = /\b(?:always|success|failure|cancelled)\(/u.test(source);
  if (!hasStatus && !functions['success']?.()) return false;
  return source === '' || Boolean(evaluate(source, context, functions));
}
