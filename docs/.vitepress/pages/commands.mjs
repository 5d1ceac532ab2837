// The reference of the commands: what each says of itself with --help.
import { code, document } from './markdown.mjs';
import { ask } from './program.mjs';

const groups = {
  'Check a site': ['init', 'check', 'serve', 'rules', 'explain', 'schema'],
  'Publish what passed': ['plan', 'publish', 'status', 'verify', 'rollback', 'gc', 'unlock', 'repair', 'edge'],
};

/**
 * The page of all commands.
 *
 * @param {string} program
 */
export function commandsPage(program) {
  const all = [...ask(program, ['--help']).matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
  const grouped = new Set(Object.values(groups).flat());
  const lists = Object.entries({ ...groups, 'For your shell and your system': all.filter((name) => !grouped.has(name)) });
  /** @param {string} name */
  const section = (name) => `### \`sitegate ${name}\` {#${name}}\n\n${code('text', ask(program, [name, '--help']))}`;
  const parts = lists.map(([title, names]) => [`## ${title}`].concat(names.filter((name) => all.includes(name)).map(section)).join('\n\n'));
  return document(
    { title: 'Commands', description: 'Every command of sitegate with its arguments and options, as --help tells them.' },
    `What each command says with \`--help\`; \`-h\` says it in short. \`sitegate man\` prints the same as a man page, and \`sitegate completions\` what
completes it in a shell. [Reports and exit codes](../reports.md) tells how commands end.\n\n${parts.join('\n\n')}`,
  );
}
