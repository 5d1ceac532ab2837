// The reference of the contract, made from its JSON Schema.
import { document, table, text } from './markdown.mjs';

/**
 * A JSON Schema, as far as a page tells of it.
 *
 * @typedef {object} Schema
 * @property {string | string[]} [type]
 * @property {string} [$ref]
 * @property {Schema[]} [anyOf]
 * @property {Schema[]} [oneOf]
 * @property {Schema[]} [allOf]
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
 *
 * A schema with its tables and the values that they share.
 *
 * @typedef {Schema & { properties: Record<string, Schema>, definitions: Record<string, Schema> }} Contract
 */

/**
 * Values that many keys take, by their names in the schema.
 *
 * @type {Record<string, string>}
 */
const shared = {
  level: '`"error"`, `"warn"` or `"off"`',
  pages: 'a [path](#paths), or a list',
  paths: 'a list of [paths](#paths)',
  setting: 'a text, or a [pointer](#pointers) to one',
};

/** @type {Record<string, string>} */
const simple = { string: 'a text', boolean: '`true` or `false`', integer: 'a whole number', number: 'a number' };
/** @type {Record<string, string>} */
const plural = { string: 'texts', boolean: 'booleans', integer: 'whole numbers', number: 'numbers', object: 'tables' };

/**
 * @param {string[]} all
 * @returns {string}
 */
const either = (all) => (all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`);

/**
 * The definition that a schema refers to.
 *
 * @param {string} reference
 */
const named = (reference) => reference.slice(reference.lastIndexOf('/') + 1);

/**
 * What a value is, in words.
 *
 * @param {Schema} schema
 * @returns {string}
 */
function kind(schema) {
  if (schema.$ref) return shared[named(schema.$ref)] ?? `a [${named(schema.$ref)}](#${named(schema.$ref).toLowerCase()})`;
  if (schema.allOf?.[0]) return kind(schema.allOf[0]);
  if (schema.enum) return schema.enum.length > 40 ? "a rule's id" : either(schema.enum.map((one) => `\`${JSON.stringify(one)}\``));
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  const ways = schema.anyOf ?? schema.oneOf;
  if (ways) return either([...new Set(ways.filter(({ type }) => type !== 'null').map(kind))]);
  if (Array.isArray(schema.type)) return either(schema.type.filter((type) => type !== 'null').map((type) => kind({ ...schema, type })));
  if (schema.type === 'array') return `a list of ${elements(schema.items ?? {})}`;
  if (schema.type === 'object') return tableWords(schema);
  return simple[schema.type ?? ''] ?? 'a value';
}

/**
 * What a list is of.
 *
 * @param {Schema} items
 */
function elements(items) {
  if (items.$ref && !shared[named(items.$ref)]) return `[${named(items.$ref)}](#${named(items.$ref).toLowerCase()})`;
  if (items.enum) return items.enum.length > 40 ? "rules' ids" : items.enum.map((one) => `\`${JSON.stringify(one)}\``).join(', ');
  if (items.pattern?.startsWith('^/')) return '[paths](#paths)';
  if (items.format === 'regex') return 'regular expressions';
  return plural[`${items.type}`] ?? 'values';
}

/**
 * Whether a table's keys are the rules.
 *
 * @param {Schema} table
 */
const ofRules = ({ properties }) => Object.keys(properties ?? {}).length > 40;

/**
 * What a table holds.
 *
 * @param {Schema} table
 * @returns {string}
 */
function tableWords({ properties, additionalProperties }) {
  if (properties && ofRules({ properties })) return 'a table: rules, each with its level';
  if (properties) return `a table of ${either(Object.keys(properties).map((key) => `\`${key}\``))}`;
  return additionalProperties ? `a table: each name with ${kind(additionalProperties)}` : 'a table';
}

/** @param {unknown} value */
const shown = (value) => `\`${JSON.stringify(value)}\``;
/** @param {unknown} value */
const unset = (value) => value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/**
 * A row for each key; keys that have a section of their own lead to it.
 *
 * @param {Record<string, Schema>} properties
 * @param {string[]} required
 * @param {Record<string, string>} sections
 */
export const rows = (properties, required = [], sections = {}) =>
  Object.entries(properties).map(([key, schema]) => [
    sections[key] ? `[\`${key}\`](#${sections[key]})` : `\`${key}\`${required.includes(key) ? ' (needed)' : ''}`,
    (sections[key] ? 'a table' : kind(schema)) + (unset(schema.default) ? '' : `; ${shown(schema.default)} by default`),
    text(schema.description ?? ''),
  ]);

/**
 * @param {Contract} schema
 * @param {string} rule
 * @returns {Record<string, Schema>}
 */
const optionsOf = (schema, rule) => schema.properties['rules']?.properties?.[rule]?.anyOf?.find(({ properties }) => properties)?.properties ?? {};

/**
 * The options of a rule, its level left out, as rows of its page.
 *
 * @param {Contract} schema
 * @param {string} rule
 */
export const optionRows = (schema, rule) =>
  rows(Object.fromEntries(Object.entries(optionsOf(schema, rule)).filter(([key]) => key !== 'level'))).map(([key = '', value = '', meaning = '']) => [
    key,
    value.replaceAll('](#', '](../reference/contract.md#'),
    meaning,
  ]);

export const head = ['key', 'value', 'meaning'];
/** @param {string[]} path */
const slug = (path) => path.join('-').toLowerCase();

/**
 * A table with the description of the key that has it.
 *
 * @param {Schema} held
 * @param {Schema} key
 * @returns {Schema}
 */
const described = (held, { description = '' }) => ({ ...held, description });

/**
 * The section of a table of the contract, and those of the tables in it.
 *
 * @param {string[]} path
 * @param {Schema} schema
 * @param {boolean} list
 * @returns {string}
 */
function section(path, schema, list = false) {
  const properties = schema.properties ?? {};
  /** @type {[key: string, path: string[], table: Schema][]} */
  const inner = Object.entries(properties).flatMap(([key, value]) => {
    if (value.properties && !ofRules(value)) return [[key, [...path, key], value]];
    return value.additionalProperties?.properties ? [[key, [...path, key, 'NAME'], described(value.additionalProperties, value)]] : [];
  });
  const own = Object.fromEntries(inner.map(([key, where]) => [key, slug(where)]));
  const title = list ? `[[${path.join('.')}]]` : `[${path.join('.')}]`;
  return [
    `${'#'.repeat(path.length === 1 ? 2 : 3)} \`${title}\` {#${slug(path)}}`,
    text(schema.description ?? ''),
    table(head, rows(properties, schema.required, own)),
    ...inner.map(([, where, value]) => section(where, value)),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/**
 * Rules that have options; all of them take a level.
 *
 * @param {Contract} schema
 */
function rulesSection(schema) {
  const rules = schema.properties['rules'] ?? {};
  const found = Object.keys(rules.properties ?? {})
    .map((rule) => ({ rule, options: Object.keys(optionsOf(schema, rule)).filter((key) => key !== 'level') }))
    .filter(({ options }) => options.length > 0)
    .map(({ rule, options }) => [`[\`${rule}\`](../rules/${rule}.md)`, options.map((option) => `\`${option}\``).join(', ')]);
  return `## \`[rules]\` {#rules}

${text(rules.description ?? '')} Each [rule](../rules/index.md) is a key. Its value is its level, or a table of its \`level\` and its options:

${table(['rule', 'options'], found)}`;
}

const values = `## Paths {#paths}

A path begins with \`/\` and is that of the published site: \`/terms\` is the page that \`terms.html\` or \`terms/index.html\` holds. \`*\` stands for any
characters up to the next \`/\`, \`**\` for any at all, and \`{a,b}\` for one of several. \`@name\` stands for the paths that
[\`[pages.groups]\`](#pages) lists under that name.

## Pointers {#pointers}

Where a value is a setting of the site and not an expectation, such as its own address, the contract may point at it:
\`{ file = "site.json", pointer = "/origin", env = "SITE_ORIGIN" }\` takes the environment variable if it is set, else the string at that JSON Pointer
(RFC 6901) of a JSON file beside the contract.`;

/** The tables that most contracts have, in their usual order; all others follow. */
const usual = ['site', 'pages', 'assert', 'rules', 'check', 'override', 'ignore'];

/**
 * The page of the whole contract.
 *
 * @param {Contract} schema
 */
export function contractPage(schema) {
  const order = [...new Set([...usual, ...Object.keys(schema.properties)])];
  const sections = order.map((key) => {
    const value = schema.properties[key] ?? {};
    if (key === 'rules') return rulesSection(schema);
    if (value.items?.properties) return section([key], described(value.items, value), true);
    if (value.properties) return section([key], value);
    return `## \`${key}\` {#${key}}\n\n${text(value.description ?? '')} Its value is ${kind(value)}.`;
  });
  const intro = `\`sitegate.toml\`, key by key. All of it is optional. [Write a contract](../contract.md) begins with an example.

This page is made from the contract's JSON Schema, which \`sitegate schema\` prints. Editors that know TOML complete and check the contract by
it where its first line names a copy: \`#:schema ./sitegate.schema.json\`.`;
  return document(
    { title: 'The contract, key by key', description: 'Every table and key of sitegate.toml, the contract that sitegate holds a site to.' },
    [intro, ...sections, values].join('\n\n'),
  );
}
