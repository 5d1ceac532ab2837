// Evaluates the expressions of GitHub workflows, `${{ … }}`: the operators and functions that ours use.

/**
 * @typedef {Record<string, unknown>} Context - The values of github, env, matrix, steps and others.
 * @typedef {Record<string, (...args: unknown[]) => unknown>} Functions
 */

const token = /\s*(?:(?<string>'(?:[^']|'')*')|(?<number>-?\d+(?:\.\d+)?)|(?<name>[A-Za-z_][\w-]*)|(?<mark>&&|\|\||==|!=|[!().,[\]]))/uy;

/** @param {unknown} value */
export const isTruthy = (value) => value !== undefined && value !== null && value !== false && value !== '' && value !== 0;

/** @param {unknown} value */
export const text = (value) => (value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Compares as GitHub does: without regard to case. @param {unknown} a @param {unknown} b */
const isEqual = (a, b) => text(a).toLowerCase() === text(b).toLowerCase();

/** The functions that need no state. @type {Functions} */
const pure = {
  contains: (whole, part) => (Array.isArray(whole) ? whole.some((one) => isEqual(one, part)) : text(whole).toLowerCase().includes(text(part).toLowerCase())),
  startsWith: (whole, part) => text(whole).toLowerCase().startsWith(text(part).toLowerCase()),
  endsWith: (whole, part) => text(whole).toLowerCase().endsWith(text(part).toLowerCase()),
  format: (form, ...values) => text(form).replaceAll(/\{(\d+)\}/gu, (_, index) => text(values[Number(index)])),
  toJSON: (value) => JSON.stringify(value),
};

/** @param {string} source */
function tokens(source) {
  const found = [];
  token.lastIndex = 0;
  while (source.slice(token.lastIndex).trim() !== '') {
    const at = token.lastIndex;
    const match = token.exec(source);
    if (match?.groups === undefined) throw new Error(`cannot read \`${source.slice(at)}\` in the expression \`${source}\``);
    const [kind = '', value = ''] = Object.entries(match.groups).find(([, one]) => one !== undefined) ?? [];
    found.push({ kind, value });
  }
  return found;
}

/**
 * Returns the value of an expression.
 *
 * @param {string} source
 * @param {Context} context
 * @param {Functions} functions
 * @returns {unknown}
 */
export function evaluate(source, context, functions) {
  const all = tokens(source);
  const known = { ...pure, ...functions };
  let at = 0;
  /** @param {string} mark */
  const accept = (mark) => all[at]?.kind === 'mark' && all[at]?.value === mark && (at += 1) > 0;
  /** @param {string} mark */
  const expect = (mark) => {
    if (!accept(mark)) throw new Error(`\`${mark}\` is missing in the expression \`${source}\``);
  };
  /** @returns {unknown} */
  const primary = () => {
    if (accept('!')) return !isTruthy(primary());
    if (accept('(')) {
      const inner = either();
      expect(')');
      return inner;
    }
    const { kind, value } = all[at] ?? { kind: '', value: '' };
    at += 1;
    if (kind === 'string') return value.slice(1, -1).replaceAll("''", "'");
    if (kind === 'number') return Number(value);
    if (kind !== 'name') throw new Error(`a value is missing in the expression \`${source}\``);
    if (accept('(')) return call(value);
    const literals = /** @type {Context} */ ({ true: true, false: false, null: undefined });
    if (value in literals) return literals[value];
    if (!(value in context)) throw new Error(`there is no context \`${value}\` for the expression \`${source}\``);
    return property(context[value]);
  };
  /** @param {string} name */
  const call = (name) => {
    const args = [];
    while (!accept(')')) {
      args.push(either());
      accept(',');
    }
    const called = known[name];
    if (called === undefined) throw new Error(`there is no function \`${name}\` for the expression \`${source}\``);
    return called(...args);
  };
  /** @param {unknown} value @returns {unknown} */
  const property = (value) => {
    if (accept('.')) {
      const key = all[at]?.value ?? '';
      at += 1;
      return property(/** @type {Context | undefined} */ (value)?.[key]);
    }
    if (!accept('[')) return value;
    const key = text(either());
    expect(']');
    return property(/** @type {Context | undefined} */ (value)?.[key]);
  };
  const comparison = () => {
    const left = primary();
    if (accept('==')) return isEqual(left, primary());
    if (accept('!=')) return !isEqual(left, primary());
    return left;
  };
  const both = () => {
    let left = comparison();
    while (accept('&&')) {
      const right = comparison();
      left = isTruthy(left) ? right : left;
    }
    return left;
  };
  /** @returns {unknown} */
  const either = () => {
    let left = both();
    while (accept('||')) {
      const right = both();
      left = isTruthy(left) ? left : right;
    }
    return left;
  };
  const result = either();
  if (at !== all.length) throw new Error(`\`${all[at]?.value}\` is not expected in the expression \`${source}\``);
  return result;
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
  if (!hasStatus && !isTruthy(functions['success']?.())) return false;
  return source === '' || isTruthy(evaluate(source, context, functions));
}
