// The reference of the JSON report, made from its JSON Schema.
import { head, rows } from './contract.mjs';
import { document, sentence, table, text } from './markdown.mjs';

/**
 * A definition: its keys, or the values that it may have.
 *
 * @param {[name: string, schema: import('./contract.mjs').Schema]} definition
 */
function section([name, schema]) {
  const ways = (schema.oneOf ?? []).flatMap(({ enum: one, const: value, description }) => (one ?? [value]).map((each) => [`\`${JSON.stringify(each)}\``, text(description ?? '')]));
  const values = (schema.enum ?? []).map((each) => [`\`${JSON.stringify(each)}\``, '']);
  const body = schema.properties ? table(head, rows(schema.properties)) : table(['value', 'meaning'], ways.concat(values));
  return [`## ${name} {#${name.toLowerCase()}}`, schema.description && sentence(schema.description), body].filter(Boolean).join('\n\n');
}

/**
 * The page of the whole report.
 *
 * @param {import('./contract.mjs').Contract} schema
 */
export function reportPage(schema) {
  const intro = `What \`sitegate check --format json\` writes, key by key. \`schema_version\` grows when a key goes or changes its meaning; new keys may come at any time.

This page is made from the report's JSON Schema, which \`sitegate schema report\` prints.`;
  return document(
    { title: 'The JSON report, key by key', description: 'Every key of the report that sitegate check writes with --format json.' },
    [intro, table(head, rows(schema.properties)), ...Object.entries(schema.definitions).map(section)].join('\n\n'),
  );
}
