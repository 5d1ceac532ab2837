// Writes the reference of the contract, from its JSON Schema.
import { document, table, text } from './markdown.mjs';

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
 * Describes the elements of a list.
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
 * Reports whether the keys of a table are the rules.
 *
 * @param {Schema} table
 */
const ofRules = ({ properties }) => Object.keys(properties ?? {}).length > 40;

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
const shown = (value) => `\`${JSON.stringify(value)}\``;
/** @param {unknown} value */
const unset = (value) => value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/**
 * Returns a row for each key; a key with a section of its own links to it.
 *
 * @param {Record<string, Schema>} properties
 * @param {string[]} required
 * @param {Record<string, string>} sections
 */
export const rows = (properties, required = [], sections = {}) =>
  Object.entries(properties).map(([key, schema]) => [
    sections[key] ? `[\`${key}\`](#${sections[key]})` : `\`${key}\`${required.includes(key) ? ' (required)' : ''}`,
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
 * Returns the options of a rule, without its level, as rows of its page.
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
 * Returns a table with the description of its key.
 *
 * @param {Schema} held
 * @param {Schema} key
 * @returns {Schema}
 */
const described = (held, { description = '' }) => ({ ...held, description });

/**
 * Returns the section of a table of the contract, and those of the tables in it.
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
 * Returns the section of `[rules]`, with the rules that have options.
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

A path is that of the published site and begins with \`/\`: \`/terms\` is the page in \`terms.html\` or \`terms/index.html\`.

| pattern | matches |
| --- | --- |
| \`*\` | any characters up to the next \`/\` |
| \`**\` | any characters |
| \`{a,b}\` | one of several |
| \`@name\` | the paths of that group in [\`[pages.groups]\`](#pages) |

## Pointers {#pointers}

A setting, such as the site's origin, may be read from a file:

\`\`\`toml
[site]
origin = { file = "site.json", pointer = "/origin", env = "SITE_ORIGIN" }
\`\`\`

The value is the environment variable if it is set, else the string at that JSON Pointer (RFC 6901). The path is relative to the contract.`;

/** The most common tables, in their usual order; all others follow. */
const usual = ['site', 'pages', 'assert', 'rules', 'check', 'override', 'ignore'];

/**
 * Returns the page of the contract.
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
  const intro = `The keys of \`sitegate.toml\`. All of them are optional. [Write a contract](../guides/contract.md) begins with an example; the
[glossary](../concepts/glossary.md) explains the terms.

This page is generated from the contract's JSON Schema, which \`sitegate schema\` prints.
[Set up your editor](../guides/contract.md#in-your-editor) to complete and check the contract with it.`;
  return document(
    { title: 'Contract', description: 'Every table and key of sitegate.toml, the contract of a site.' },
    [intro, ...sections, values].join('\n\n'),
  );
}
