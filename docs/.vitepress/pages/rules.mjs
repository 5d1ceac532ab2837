// Writes the pages of the rules: one for each, and the list.
import { code, document, sentence, table, text } from './markdown.mjs';
import { optionRows } from './contract.mjs';

/**
 * A rule, as `sitegate explain --format json` prints it.
 *
 * @typedef {{ id: string, category: string, default: 'error' | 'warn' | 'off', summary: string, why: string, bad: string, good: string }} Rule
 */

const levels = { error: 'error', warn: 'warning', off: 'off' };
/** @type {Record<string, string>} */
const languages = { html: 'html', css: 'css', js: 'js', mjs: 'js', json: 'json', svg: 'xml', xml: 'xml', toml: 'toml', webmanifest: 'json' };

/**
 * The names and descriptions of the categories, in the order of the list.
 *
 * @type {Record<string, [name: string, about: string]>}
 */
const categories = {
  links: ['Links', 'Broken references.'],
  contract: ['Contract', 'Requirements of the contract.'],
  files: ['Files', 'The files of the export themselves.'],
  hosting: ['Hosting', 'Redirects on the way from a reference to a file.'],
  content: ['Content', 'The markup of pages.'],
  metadata: ['Metadata', 'Metadata for browsers and search engines.'],
  urls: ['URLs', 'The spelling of references.'],
  security: ['Security', 'Risks for visitors.'],
  external: ['External links', 'Links to other sites, which are checked only with `--external`.'],
  live: ['Live sites', 'Server behavior, which is checked only on a live site: `sitegate check https://…`.'],
  policy: ['Policy', 'Forbidden content, budgets, ignores and the baseline.'],
};
/**
 * Returns the name and the description of a category; a new one has its name alone.
 *
 * @param {string} category
 * @returns {[name: string, about: string]}
 */
const about = (category) => categories[category] ?? [category.slice(0, 1).toUpperCase() + category.slice(1), ''];

/**
 * Splits an example into its files, each with its lines.
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
 * Renders an example as blocks of code; several files each have a label.
 *
 * @param {string} lines
 */
function example(lines) {
  if (lines.startsWith('$ ')) return code('console', lines);
  if (!/^\S.*:\n {2}/.test(lines)) return code('html', lines);
  const blocks = filesOf(lines).map(({ name, content }) => {
    const label = name === 'elsewhere' ? 'Answers of external hosts' : `<code v-pre>${name.replaceAll('<', '&lt;')}</code>`;
    return `<p class="file">${label}</p>\n\n${code(languages[name.slice(name.lastIndexOf('.') + 1)] ?? 'text', content.join('\n'))}`;
  });
  return blocks.join('\n\n');
}

const others = { error: ['warn', 'off'], warn: ['error', 'off'], off: ['error', 'warn'] };

/**
 * Returns the page of one rule.
 *
 * @param {Rule} rule
 * @param {import('./types.mjs').Contract} schema
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
    `The level, for the whole site, in \`sitegate.toml\`:`,
    code('toml', `[rules]\n${rule.id} = "${level}"   # or "${other}"`),
    options.length > 0 && 'Options:',
    table(['key', 'value', 'meaning'], options),
    'See [Ignores and baselines](../guides/ignores.md) to change the level for some paths, or to ignore single findings. `' +
      `sitegate explain ${rule.id}\` prints this page in a terminal.`,
  ];
  return document(
    { title: rule.id, heading: `\`${rule.id}\``, description: `The rule ${rule.id} of sitegate: ${rule.summary.replaceAll('`', '')}.` },
    parts.filter(Boolean).join('\n\n'),
  );
}

/**
 * Returns the list of all rules, by category.
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
  const head = `There are ${rules.length} rules. Errors fail the check, warnings are only reported, and rules that are off run if the contract turns them on.
\`sitegate explain\` prints this list, \`sitegate explain RULE\` one rule. See also: [what is checked](../concepts/checks.md), [glossary](../concepts/glossary.md).`;
  return document({ title: 'Rules', description: 'Every rule of sitegate, with its default level.' }, `${head}\n\n${parts.join('\n\n')}`);
}
