// Describes the types of a JSON Schema in words.
import { text } from './markdown.mjs';

/**
 * The parts of a JSON Schema that a page shows.
 *
 * @typedef {object} Schema
 * @property {string | string[]} [type]
 * @property {string} [$ref]
 * @property {Schema[]} [anyOf]
 * @property {Schema[]} [oneOf]
 * @property {Schema[]} [allOf]
 *
 * @property {unknown[]} [enum]
 * @property {unknown} [const]
 * @property {Schema} [items]
 * @property {string} [pattern]
 * @property {string} [format]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {Schema} [additionalProperties]
 * @property {unknown} [default]
 * @property {string} [description]
 */

/**
 * A schema with its tables and the values that they share.
 *
 * @typedef {Schema & { properties: Record<string, Schema>, definitions: Record<string, Schema> }} Contract
 */

/**
 * Types that many keys have, by their names in the schema.
 *
 * @type {Record<string, string>}
 */
const shared = {
  level: '`"error"`, `"warn"` or `"off"`',
  pages: 'a [path](#paths), or a list',
  paths: 'a list of [paths](#paths)',
  rule: "a rule's id",
  setting: 'a string, or a [pointer](#pointers) to one',
};

/** @type {Record<string, string>} */
const simple = { string: 'a string', boolean: '`true` or `false`', integer: 'a whole number', number: 'a number' };
/** @type {Record<string, string>} */
const plural = { string: 'strings', boolean: 'booleans', integer: 'whole numbers', number: 'numbers', object: 'tables' };

/**
 * @param {string[]} all
 * @returns {string}
 */
const either = (all) => (all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`);

/**
 * Returns the name of the definition that a schema refers to.
 *
 * @param {string} reference
 */
const named = (reference) => reference.slice(reference.lastIndexOf('/') + 1);

/**
 * Describes the type of a value.
 *
 * @param {Schema} schema
 * @returns {string}
 */
export function kind(schema) {
  if (schema.$ref) return shared[named(schema.$ref)] ?? `a [${named(schema.$ref)}](#${named(schema.$ref).toLowerCase()})`;
  if (schema.allOf?.[0]) return kind(schema.allOf[0]);
  if (schema.enum) return either(schema.enum.map((one) => `\`${JSON.stringify(one)}\``));
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  const ways = schema.anyOf ?? schema.oneOf;
  if (ways) return either([...new Set(ways.filter(({ type }) => type !== 'null').map(kind))]);
  if (Array.isArray(schema.type)) return either(schema.type.filter((type) => type !== 'null').map((type) => kind({ ...schema, type })));
  if (schema.type === 'array') return `a list of ${elements(schema.items ?? {})}`;
  if (schema.type === 'object') return tableWords(schema);
  return simple[schema.type ?? ''] ?? 'a value';
}

/**
 * Describes the elements of a list.
 *
 * @param {Schema} items
 */
function elements(items) {
  if (items.$ref && !shared[named(items.$ref)]) return `[${named(items.$ref)}](#${named(items.$ref).toLowerCase()})`;
  if (named(items.$ref ?? '') === 'rule') return "rules' ids";
  const values = items.enum ?? items.oneOf?.map((one) => one.const);
  if (values) return values.map((one) => `\`${JSON.stringify(one)}\``).join(', ');
  if (items.pattern?.startsWith('^/')) return '[paths](#paths)';
  if (items.format === 'regex') return 'regular expressions';
  return plural[`${items.type}`] ?? 'values';
}

/**
 * Reports whether the keys of a table are the rules.
 *
 * @param {Schema} table
 */
export const ofRules = ({ properties }) => Object.keys(properties ?? {}).length > 40;

/**
 * Describes the content of a table.
 *
 * @param {Schema} table
 * @returns {string}
 */
function tableWords({ properties, additionalProperties }) {
  if (properties && ofRules({ properties })) return 'a table of rules and their levels';
  if (properties) return `a table of ${either(Object.keys(properties).map((key) => `\`${key}\``))}`;
  return additionalProperties ? `a table of names, each with ${kind(additionalProperties)}` : 'a table';
}

/** @param {unknown} value */
export const shown = (value) => `\`${JSON.stringify(value)}\``;
/** @param {unknown} value */
export const unset = (value) => value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/**
 * Returns a row for each key.
 *
 * @param {Record<string, Schema>} properties
 */
export const rows = (properties) =>
  Object.entries(properties).map(([key, schema]) => [
    `\`${key}\``,
    kind(schema) + (unset(schema.default) ? '' : `; ${shown(schema.default)} by default`),
    text(schema.description ?? ''),
  ]);

export const head = ['key', 'value', 'meaning'];
