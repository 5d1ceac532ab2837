// Writes the reference of the commands, from their --help.
import { code, document } from './markdown.mjs';
import { help } from './program.mjs';

const groups = {
  'Check a site': ['init', 'check', 'render', 'serve', 'rules', 'explain', 'schema'],
  'Publish what passed': ['plan', 'publish', 'status', 'verify', 'rollback', 'gc', 'unlock', 'repair', 'edge'],
};

/** @param {string} name */
const section = (name) => `### \`sitegate ${name}\` {#${name}}\n\n${code('text', help(name))}`;

/** Returns the page of all commands. */
export function commandsPage() {
  const all = [...help('sitegate').matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
  const grouped = new Set(Object.values(groups).flat());
  const lists = Object.entries({ ...groups, 'Shell integration': all.filter((name) => !grouped.has(name)) });
  const parts = lists.map(([title, names]) => [`## ${title}`].concat(names.filter((name) => all.includes(name)).map(section)).join('\n\n'));
  return document(
    { title: 'Commands', description: 'Every command of sitegate with its arguments and options.' },
    `This page is generated from \`--help\`. \`-h\` prints a summary, \`sitegate man\` a man page, and \`sitegate completions\` a completion script
for your shell. See also: [exit codes](../concepts/reports.md#exit-codes).\n\n${parts.join('\n\n')}`,
  );
}
