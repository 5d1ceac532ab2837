// The pages of the rules: one for each, and the list.
import { code, document, sentence, table, text } from './markdown.mjs';
import { optionRows } from './contract.mjs';

/**
 * A rule, as `sitegate rules --format json` tells of it.
 *
 * @typedef {{ id: string, category: string, default: 'error' | 'warn' | 'off', summary: string, why: string, bad: string, good: string }} Rule
 */

const levels = { error: 'error', warn: 'warning', off: 'off' };
/** @type {Record<string, string>} */
const languages = { html: 'html', css: 'css', js: 'js', mjs: 'js', json: 'json', svg: 'xml', xml: 'xml', toml: 'toml', webmanifest: 'json' };

/**
 * What the categories are about, in the order of the list.
 *
 * @type {Record<string, [name: string, about: string]>}
 */
const categories = {
  links: ['Links', 'References that do not lead where they say.'],
  contract: ['Contract', 'What the contract demands.'],
  files: ['Files', 'The files of the export themselves.'],
  hosting: ['Hosting', 'How the host gets from a reference to a file.'],
  content: ['Content', 'What pages are made of.'],
  metadata: ['Metadata', 'What pages say of themselves and of each other, to browsers and search engines.'],
  urls: ['Addresses', 'How references are written.'],
  security: ['Security', 'What puts readers at risk.'],
  external: ['Other hosts', 'References to other hosts, which are asked only with `--external`.'],
  live: ['Live sites', 'What only the server of a live site can answer: asked with `sitegate check https://…`.'],
  policy: ['Policy', 'What must not go live, exceptions from the rules, and the baseline.'],
};
/**
 * A category's name and what it is about; one that is new here has its name alone.
 *
 * @param {string} category
 * @returns {[name: string, about: string]}
 */
const about = (category) => categories[category] ?? [category.slice(0, 1).toUpperCase() + category.slice(1), ''];

/**
 * The files of an example that has several, each with its lines.
 *
 * @param {string} lines
 */
function filesOf(lines) {
  /** @type {{ name: string, content: string[] }[]} */
  const files = [];
  for (const line of lines.split('\n')) {
    if (/^\S.*:$/.test(line)) files.push({ name: line.slice(0, -1), content: [] });
    else files.at(-1)?.content.push(line.slice(2));
  }
  return files;
}

/**
 * An example as blocks of code; one of several files has each under its name.
 *
 * @param {string} lines
 */
function example(lines) {
  if (lines.startsWith('$ ')) return code('console', lines);
  if (!/^\S.*:\n {2}/.test(lines)) return code('html', lines);
  const blocks = filesOf(lines).map(({ name, content }) => {
    const label = name === 'elsewhere' ? 'What other hosts answer' : `<code v-pre>${name.replaceAll('<', '&lt;')}</code>`;
    return `<p class="file">${label}</p>\n\n${code(languages[name.slice(name.lastIndexOf('.') + 1)] ?? 'text', content.join('\n'))}`;
  });
  return blocks.join('\n\n');
}

const others = { error: ['warn', 'off'], warn: ['error', 'off'], off: ['error', 'warn'] };

/**
 * The page of one rule.
 *
 * @param {Rule} rule
 * @param {import('./contract.mjs').Contract} schema
 */
export function rulePage(rule, schema) {
  const [level, other] = others[rule.default];
  const options = optionRows(schema, rule.id);
  const parts = [
    `<p class="rule-facts"><a href="./#${rule.category}">${about(rule.category)[0]}</a><span class="level ${rule.default}">${levels[rule.default]} by default</span></p>`,
    sentence(rule.summary),
    '## Why it matters',
    text(rule.why),
    '## Bad',
    example(rule.bad),
    '## Good',
    example(rule.good),
    '## Settings',
    `Its level, for the whole site, in \`sitegate.toml\`:`,
    code('toml', `[rules]\n${rule.id} = "${level}"   # or "${other}"`),
    options.length > 0 && 'Its options:',
    table(['key', 'value', 'meaning'], options),
    '[Exceptions](../exceptions.md) tells how it is set for some paths only, and how one finding is excused with a reason. `' +
      `sitegate explain ${rule.id}\` prints this page in a terminal.`,
  ];
  return document(
    { title: rule.id, heading: `\`${rule.id}\``, description: `The rule ${rule.id} of sitegate: ${rule.summary.replaceAll('`', '')}.` },
    parts.filter(Boolean).join('\n\n'),
  );
}

/**
 * The list of all rules, by category.
 *
 * @param {Rule[]} rules
 */
export function rulesPage(rules) {
  const found = [...new Set(rules.map((rule) => rule.category))];
  const parts = found.map((category) => {
    const rows = rules
      .filter((rule) => rule.category === category)
      .map((rule) => [`[\`${rule.id}\`](./${rule.id}.md)`, `<span class="level ${rule.default}">${levels[rule.default]}</span>`, text(rule.summary)]);
    const [name, what] = about(category);
    return `## ${name} {#${category}}\n\n${what}\n\n${table(['rule', 'by default', 'finds'], rows)}`;
  });
  const head = `There are ${rules.length} rules. Those that are errors fail the check, warnings are told, and the others are off until the contract asks for them.
\`sitegate rules\` prints this list, \`sitegate explain RULE\` one rule.`;
  return document({ title: 'Rules', description: 'Every rule of sitegate: what it finds, and how much it weighs by default.' }, `${head}\n\n${parts.join('\n\n')}`);
}
