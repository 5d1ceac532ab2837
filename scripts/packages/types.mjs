// Generates TypeScript types from a JSON Schema. Supports only the part of draft 7 that our two schemas use.

/** The generated files in packages/sitegate, each with its schema, the name of the main type, and its first sentence. */
export const types = /** @type {const} */ ({
  'report.d.ts': ['sitegate.report.schema.json', 'Report', 'The report of a check, as `sitegate check --format json` prints it.'],
  'contract.d.ts': ['sitegate.schema.json', 'Contract', 'The contract of a site: the settings of `sitegate.toml`.'],
});

/**
 * The supported keywords of a JSON Schema.
 *
 * @typedef {object} Schema
 * @property {string | string[]} [type]
 * @property {string} [$ref]
 * @property {Schema[]} [anyOf]
 * @property {Schema[]} [oneOf]
 * @property {Schema[]} [allOf]
 *
 * @property {unknown[] | undefined} [enum]
 * @property {unknown} [const]
 * @property {Schema} [items]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {boolean | Schema} [additionalProperties]
 * @property {string} [description]
 * @property {Record<string, Schema>} [definitions]
 */

/**
 * @param {string | undefined} text
 * @param {string} indent
 */
const comment = (text, indent) => (text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s*\n\s*/gu, ' ')} */\n`);
/** @param {string} name */
const key = (name) => (/^[A-Za-z_$][\w$]*$/u.test(name) ? name : `'${name}'`);
/** @param {string} words */
const name = (words) => words.replaceAll(/(?:^|[-_])([a-z])/gu, (_, letter) => letter.toUpperCase());

/** Keywords that a type cannot express. The program checks them. */
const untyped = new Set(['$schema', '$id', 'title', 'description', 'default', 'definitions', 'format', 'minimum', 'maximum', 'minLength', 'pattern', 'required', 'uniqueItems']);

/**
 * @param {Schema | undefined} schema
 * @returns {never}
 */
function refuse(schema) {
  throw new Error(`no type is known for ${JSON.stringify(schema)}`);
}

/**
 * Returns the type of an object, with each field on its own line.
 *
 * @param {Schema} schema
 * @param {string} indent
 * @returns {string}
 */
function object({ properties = {}, required = [], additionalProperties = true }, indent) {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(
    ([field, schema]) => `${comment(schema.description, inner)}${inner}${key(field)}${required.includes(field) ? '' : '?'}: ${type(schema, inner)}${required.includes(field) ? '' : ' | undefined'};\n`,
  );
  if (fields.length > 0) return `{\n${fields.join('')}${indent}}`;
  return `Record<string, ${additionalProperties === true ? 'unknown' : type(additionalProperties || undefined, indent)}>`;
}

/** @type {Record<string, string>} */
const simple = { string: 'string', boolean: 'boolean', integer: 'number', number: 'number', null: 'null' };

/**
 * Returns the type of a list of `inner`.
 *
 * @param {string} inner
 */
const list = (inner) => (/^[\w$]+$/u.test(inner) ? `${inner}[]` : `Array<${inner}>`);

/**
 * Returns the type of a schema.
 *
 * @param {Schema | undefined} schema
 * @param {string} indent
 * @returns {string}
 */
function type(schema, indent) {
  if (schema === undefined) return refuse(schema);
  const { type: kind, $ref, anyOf, oneOf, allOf, enum: values, const: value, items } = schema;
  const unions = anyOf ?? oneOf;
  const known = new Set([...untyped, 'type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'items', 'properties', 'additionalProperties']);
  if (Object.keys(schema).some((word) => !known.has(word))) refuse(schema);
  if ($ref !== undefined) return name($ref.split('/').slice(-1).join());
  if (allOf !== undefined) return allOf.map((part) => type(part, indent)).join(' & ');
  if (unions !== undefined) return [...new Set(unions.map((part) => type(part, indent)))].join(' | ');
  if (values !== undefined) return values.map((one) => JSON.stringify(one).replaceAll('"', "'")).join(' | ');
  if (value !== undefined) return JSON.stringify(value).replaceAll('"', "'");
  if (Array.isArray(kind)) return kind.map((one) => type({ ...schema, type: one, enum: undefined }, indent)).join(' | ');
  if (kind === 'array') return list(type(items, indent));
  if (kind === 'object') return object(schema, indent);
  return simple[kind ?? ''] ?? refuse(schema);
}

/**
 * Returns an exported type: an interface if it is an object with fields.
 *
 * @param {string} title
 * @param {Schema} schema
 */
function declaration(title, schema) {
  const body = type(schema, '');
  const declared = body.startsWith('{') ? `interface ${title} ${body}` : `type ${title} = ${body};`;
  return `${comment(schema.description, '')}export ${declared}\n`;
}

/**
 * Returns the content of a file of types.
 *
 * @param {object} described - A schema in draft 7.
 * @param {string} title - The name of the main type.
 * @param {string} about - The file's first sentence.
 */
export function declarations(described, title, about) {
  const schema = /** @type {Schema} */ (described);
  const parts = Object.entries(schema.definitions ?? {}).map(([part, definition]) => declaration(name(part), definition));
  return [`/** ${about} Generated from the schema: \`npm run package -- --types\`. */\n/* oxlint-disable max-lines */\n`, declaration(title, schema), ...parts].join('\n');
}
