// Writes the contract's settings as TOML, which the program reads.

/**
 * A value, on one line: what JSON has is written alike, but for DEL and the signs of tables.
 *
 * @param {unknown} given
 * @returns {string}
 */
function value(given) {
  if (typeof given === 'string') return JSON.stringify(given).replaceAll('\u007F', String.raw`\u007F`);
  if (Array.isArray(given)) return `[${given.map(value).join(', ')}]`;
  if (typeof given === 'object' && given !== null) return `{ ${entries(given).map(([key, held]) => `${value(key)} = ${held}`).join(', ')} }`;
  return String(given);
}

/**
 * @param {object} table
 * @returns {Array<[string, string]>}
 */
const entries = (table) => Object.entries(table).flatMap(([key, held]) => (held === undefined ? [] : [/** @type {[string, string]} */ ([key, value(held)])]));

/**
 * Settings as a document, a line for each key. What TOML does not have, such as `null`, the program refuses.
 *
 * @param {object} settings
 */
export const toml = (settings) => entries(settings).map(([key, held]) => `${value(key)} = ${held}\n`).join('');
