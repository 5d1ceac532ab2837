// Writes the reference of the contract, from its JSON Schema.
import { code, document, table, text } from './markdown.mjs';
import { kind, ofRules, rows, shown, unset } from './types.mjs';

/** @typedef {import('./types.mjs').Schema} Schema */
/** @typedef {import('./types.mjs').Contract} Contract */

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

/** The default of a key, at the end of its description. */
const defaultText = / Default: (\S+)\.$/;

/**
 * Returns the default of a key in words.
 *
 * @param {Schema} schema
 * @param {boolean} required
 */
function defaultOf({ default: value, description = '' }, required) {
  const [, words] = defaultText.exec(description) ?? [];
  if (words === 'inferred') return '[inferred](../guides/contract.md#inferred-settings)';
  if (words) return `\`${words}\``;
  if (!unset(value)) return shown(value);
  return required ? 'none; it is required' : 'none';
}

/**
 * Returns the section of a key: its meaning, type, default and example.
 *
 * @param {string[]} path - Its tables and its name.
 * @param {Schema} schema
 * @param {boolean} required
 * @param {string} example
 */
function keySection(path, schema, required, example) {
  const facts = `<dl class="key-facts"><div><dt>Type</dt><dd>\n\n${kind(schema)}\n\n</dd></div><div><dt>Default</dt><dd>\n\n${defaultOf(schema, required)}\n\n</dd></div></dl>`;
  const meaning = text((schema.description ?? '').replace(defaultText, ''));
  return [`### \`${path.at(-1)}\` {#${slug(path)}}`, meaning, facts, code('toml', example)].filter(Boolean).join('\n\n');
}

/**
 * Returns the example of each key, by its tables and its name: its header and its line.
 *
 * @param {string} lines - A contract that has every key.
 */
export function examplesOf(lines) {
  /** @type {Map<string, string>} */
  const found = new Map();
  let header = '';
  for (const line of lines.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    if (line.startsWith('[')) header = line;
    const [, key] = /^([\w-]+)[ .]/.exec(line) ?? [];
    const path = header.replaceAll(/^\[+|\]+$/g, '').replace(/"[^"]*"/, 'NAME');
    if (key) found.set(path === '' ? key : `${path}.${key}`, header === '' ? line : `${header}\n${line}`);
  }
  return found;
}

/**
 * Returns the example of a key.
 *
 * @param {Map<string, string>} examples
 * @param {string[]} path
 */
function exampleOf(examples, path) {
  const example = examples.get(path.join('.'));
  if (example === undefined) throw new Error(`examples.toml has no example of ${path.join('.')}`);
  return example;
}

/**
 * Returns the section of a table of the contract with those of its keys, and those of the tables in it.
 *
 * @param {string[]} path
 * @param {Schema} schema
 * @param {Map<string, string>} examples
 * @param {boolean} list
 * @returns {string}
 */
function section(path, schema, examples, list = false) {
  const properties = Object.entries(schema.properties ?? {});
  /** @typedef {[key: string, path: string[], table: Schema, list: boolean]} InnerTable */
  const inner = properties.flatMap(/** @returns {InnerTable[]} */ ([key, value]) => {
    if (value.properties && !ofRules(value)) return [[key, [...path, key], value, false]];
    if (value.items?.properties) return [[key, [...path, key], described(value.items, value), true]];
    return value.additionalProperties?.properties ? [[key, [...path, key, 'NAME'], described(value.additionalProperties, value), false]] : [];
  });
  const tables = new Set(inner.map(([key]) => key));
  const title = list ? `[[${path.join('.')}]]` : `[${path.join('.')}]`;
  const keys = properties.filter(([key]) => !tables.has(key));
  return [
    `## \`${title}\` {#${slug(path)}}`,
    text(schema.description ?? ''),
    ...keys.map(([key, value]) => keySection([...path, key], value, schema.required?.includes(key) ?? false, exampleOf(examples, [...path, key]))),
    ...inner.map(([, where, value, isList]) => section(where, value, examples, isList)),
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

A path begins with \`/\`, and is that of a page or of a file in the export. It may be a pattern: see [paths of pages and files](../guides/contract.md#paths-of-pages-and-files). For the pages of an assertion, \`@name\` means the paths of that group in [\`[pages.groups]\`](#pages).

## Pointers {#pointers}

A setting, such as the site's origin, may be read from a file:

\`\`\`toml
[site]
origin = { file = "site.json", pointer = "/origin", env = "SITE_ORIGIN" }
\`\`\`

The value is the environment variable if it is set, else the string at that JSON Pointer (RFC 6901). The path is relative to the contract. The command line must [allow](../guides/contract.md#files-and-variables) the variable.`;

/** The most common tables, in their usual order; all others follow. */
const usual = ['site', 'pages', 'assert', 'rules', 'check', 'override', 'ignore'];

/**
 * Returns the page of the contract.
 *
 * @param {Contract} schema
 * @param {string} contract - A contract that has every key, for the examples.
 */
export function contractPage(schema, contract) {
  const examples = examplesOf(contract);
  const order = [...new Set([...usual, ...Object.keys(schema.properties)])];
  const sections = order.map((key) => {
    const value = schema.properties[key] ?? {};
    if (key === 'rules') return rulesSection(schema);
    if (value.items?.properties) return section([key], described(value.items, value), examples, true);
    if (value.properties) return section([key], value, examples);
    return keySection([key], value, false, exampleOf(examples, [key])).replace(/^#/, '');
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
