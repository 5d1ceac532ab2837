// Converts the settings of a contract to TOML.

/**
 * Converts a value to one line of TOML, which has the syntax of JSON except for DEL and tables.
 *
 * @param {unknown} given
 * @returns {string}
 */
function tomlValue(given) {
  if (typeof given === 'string') return JSON.stringify(given).replaceAll('\u007F', String.raw`\u007F`);
  if (Array.isArray(given)) return `[${given.map(tomlValue).join(', ')}]`;
  if (typeof given === 'object' && given !== null) return `{ ${entries(given).map(([key, text]) => `${tomlValue(key)} = ${text}`).join(', ')} }`;
  return String(given);
}

/**
 * @param {object} table
 * @returns {Array<[string, string]>}
 */
const entries = (table) => Object.entries(table).flatMap(([key, setting]) => (setting === undefined ? [] : [/** @type {[string, string]} */ ([key, tomlValue(setting)])]));

/**
 * Converts settings to a TOML document with one line for each key. The program rejects values that TOML lacks, such as `null`.
 *
 * @param {object} settings
 */
export const toml = (settings) => entries(settings).map(([key, text]) => `${tomlValue(key)} = ${text}\n`).join('');
