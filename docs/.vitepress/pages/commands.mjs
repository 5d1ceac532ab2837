// Writes the reference of the commands, from their --help.
import { code, document } from './markdown.mjs';
import { help } from './program.mjs';

/**
 * Returns the lists of commands in a help text: their headings with the names.
 *
 * @param {string} text
 */
const lists = (text) =>
  [...text.matchAll(/^(\w[\w ]*):\n((?: {2}[a-z][a-z-]* {2,}.*\n)+)/gm)].map(([, heading = '', rows = '']) => ({
    heading,
    names: [...rows.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name),
  }));

/** @param {string} name */
const section = (name) => `### \`sitegate ${name}\` {#${name.replace(' ', '-')}}\n\n${code('text', help(name.replace(' ', '-')))}`;

/**
 * A group may have the name of a command, so its id is another one.
 *
 * @param {string} heading
 */
const groupHeading = (heading) => `## ${heading} {#${heading.split(' ')[0]?.toLowerCase()}-commands}`;

/** Returns the page of all commands. */
export function commandsPage() {
  const below = lists(help('target')).flatMap(({ names }) => names.map((name) => `target ${name}`));
  const parts = lists(help('all')).map(({ heading, names }) =>
    [groupHeading(heading), ...names.flatMap((name) => (name === 'target' ? [name, ...below] : [name])).map(section)].join('\n\n'),
  );
  return document(
    { title: 'Commands', description: 'Every command of sitegate with its arguments and options.' },
    `This page is generated from \`--help\`. \`-h\` prints a summary, \`sitegate help --all\` lists every command, \`sitegate man\`
prints a man page, and \`sitegate completions\` a completion script for your shell. See also:
[exit codes](../concepts/reports.md#exit-codes).\n\n${parts.join('\n\n')}`,
  );
}
