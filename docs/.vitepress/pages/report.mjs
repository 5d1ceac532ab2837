// Writes the reference of the JSON report, from its JSON Schema.
import { document, sentence, table, text } from './markdown.mjs';
import { head, rows } from './types.mjs';

/**
 * Returns the section of a definition: its keys, or its possible values.
 *
 * @param {[name: string, schema: import('./types.mjs').Schema]} definition
 */
function section([name, schema]) {
  const ways = (schema.oneOf ?? []).flatMap(({ enum: one, const: value, description }) => (one ?? [value]).map((each) => [`\`${JSON.stringify(each)}\``, text(description ?? '')]));
  const values = (schema.enum ?? []).map((each) => [`\`${JSON.stringify(each)}\``, '']);
  const body = schema.properties ? table(head, rows(schema.properties)) : table(['value', 'meaning'], ways.concat(values));
  return [`## ${name} {#${name.toLowerCase()}}`, schema.description && sentence(schema.description), body].filter(Boolean).join('\n\n');
}

/**
 * Returns the page of the report.
 *
 * @param {import('./types.mjs').Contract} schema
 */
export function reportPage(schema) {
  const intro = `The keys of the report that \`sitegate check --format json\` writes. \`schema_version\` grows when a key is removed or changes its meaning; new keys
may be added at any time.

This page is generated from the report's JSON Schema, which \`sitegate schema report\` prints. The
[glossary](../concepts/glossary.md) explains the terms.`;
  return document(
    { title: 'JSON report', description: 'Every key of the JSON report of sitegate check.' },
    [intro, table(head, rows(schema.properties)), ...Object.entries(schema.definitions).map(section)].join('\n\n'),
  );
}
