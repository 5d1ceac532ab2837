// Writes TypeScript's types for what a JSON Schema describes: as much of draft 7 as our two schemas use, and nothing else.

/** The files of types in packages/sitegate: their schemas, the names of what these describe as a whole, and first sentences. */
export const types = /** @type {const} */ ({
  'report.d.ts': ['sitegate.report.schema.json', 'Report', 'What a check finds, as `sitegate check --format json` prints it.'],
  'contract.d.ts': ['sitegate.schema.json', 'Contract', 'What must hold before a site goes live, as `sitegate.toml` says it.'],
});

/**
 * A JSON Schema, as far as a type can say it.
 *
 * @typedef {object} Schema
 * @property {string | string[]} [type]
 * @property {string} [$ref]
 * @property {Schema[]} [anyOf]
 * @property {Schema[]} [oneOf]
 * @property {Schema[]} [allOf]
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

/** What a schema may say beside its type that a type cannot: the program sees to it. */
const unsaid = new Set(['$schema', 'title', 'description', 'default', 'definitions', 'format', 'minimum', 'maximum', 'minLength', 'pattern', 'required', 'uniqueItems']);

/**
 * @param {Schema | undefined} schema
 * @returns {never}
 */
function refuse(schema) {
  throw new Error(`no type is known for ${JSON.stringify(schema)}`);
}

/**
 * The fields of an object, each on its own lines.
 *
 * @param {Schema} schema
 * @param {string} indent
 * @returns {string}
 */
function object({ properties = {}, required = [], additionalProperties = true }, indent) {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(
    ([field, held]) => `${comment(held.description, inner)}${inner}${key(field)}${required.includes(field) ? '' : '?'}: ${type(held, inner)}${required.includes(field) ? '' : ' | undefined'};\n`,
  );
  if (fields.length > 0) return `{\n${fields.join('')}${indent}}`;
  return `Record<string, ${additionalProperties === true ? 'unknown' : type(additionalProperties || undefined, indent)}>`;
}

/** @type {Record<string, string>} */
const simple = { string: 'string', boolean: 'boolean', integer: 'number', number: 'number', null: 'null' };

/**
 * A list of `inner`.
 *
 * @param {string} inner
 */
const list = (inner) => (/^[\w$]+$/u.test(inner) ? `${inner}[]` : `Array<${inner}>`);

/**
 * The type of a schema.
 *
 * @param {Schema | undefined} schema
 * @param {string} indent
 * @returns {string}
 */
function type(schema, indent) {
  if (schema === undefined) return refuse(schema);
  const { type: kind, $ref, anyOf, oneOf, allOf, enum: values, const: value, items } = schema;
  const unions = anyOf ?? oneOf;
  const known = new Set([...unsaid, 'type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'items', 'properties', 'additionalProperties']);
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
 * One exported type: an interface where it is an object with fields.
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
 * A file of types.
 *
 * @param {object} described - A schema in draft 7.
 * @param {string} title - The name of what it describes as a whole.
 * @param {string} about - The file's first sentence.
 */
export function declarations(described, title, about) {
  const schema = /** @type {Schema} */ (described);
  const parts = Object.entries(schema.definitions ?? {}).map(([part, held]) => declaration(name(part), held));
  return [`/** ${about} Made from the schema: \`npm run package -- --types\`. */\n/* oxlint-disable max-lines */\n`, declaration(title, schema), ...parts].join('\n');
}
