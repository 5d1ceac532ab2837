// Does the exercises of CONTRIBUTING.md in a copy of the project, so that a newcomer's first change works as written.
//
//   node scripts/exercises.mjs [NAME…]
//
// A block after `<!-- exercise NAME: PATH -->` is a file, or a change of one if it is a `diff`. Lines of `sh` blocks after
// `<!-- exercise NAME -->` are run.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, linkSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

const copy = join(root, 'target', 'exercises', 'project');
/** Not the folder of the project: cargo would take the changed crates for its own. */
const target = join(root, 'target', 'exercises', 'target');

/** @typedef {{ name: string, path: string, kind: string, lines: string[] }} Step */

/**
 * Returns the steps of all exercises, in order.
 *
 * @param {string} text
 * @returns {Step[]}
 */
function steps(text) {
  const pattern = /^( *)<!-- exercise ([\w-]+)(?:: (\S+))? -->\n+ *```(\w+)[^\n]*\n(.*?)\n *```$/gmsu;
  return [...text.matchAll(pattern)].map(([, indent = '', name = '', path = '', kind = '', block = '']) => ({
    name,
    path,
    kind,
    lines: block.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)),
  }));
}

/**
 * Returns a text with a change: its lines with a space or a minus are there once, next to each other.
 *
 * @param {string} text
 * @param {Step} step
 */
function changed(text, { name, path, lines }) {
  const side = (/** @type {string} */ mark) => lines.filter((line) => [' ', mark].includes(line[0] ?? ' ')).map((line) => `${line.slice(1)}\n`).join('');
  const [before, after] = [side('-'), side('+')];
  const pieces = text.split(before);
  if (pieces.length !== 2) throw new Error(`exercise ${name}: ${path} has the lines of the change ${pieces.length - 1} times:\n${before}`);
  return pieces.join(after);
}

/** @param {Step} step */
function perform(step) {
  const { name, path, kind, lines } = step;
  if (path === '') {
    for (const line of lines) {
      console.log(`$ ${line}`);
      const { status } = spawnSync('sh', ['-c', line], { cwd: copy, stdio: 'inherit', env: { ...process.env, CARGO_TARGET_DIR: target } });
      if (status !== 0) throw new Error(`exercise ${name}: \`${line}\` ended with ${status}`);
    }
    return;
  }
  const file = join(copy, path);
  mkdirSync(dirname(file), { recursive: true });
  if (kind === 'diff') writeFileSync(file, changed(readFileSync(file, 'utf8'), step));
  else writeFileSync(file, `${lines.join('\n')}\n`);
}

/** Copies the files of the project as they are now, without those that git ignores. */
function copyProject() {
  rmSync(copy, { recursive: true, force: true });
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const path of list.split('\0').filter((one) => /^(?:checker|Cargo|clippy|rust)/u.test(one) && existsSync(join(root, one)))) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path), { verbatimSymlinks: true });
  }
}

/** Links what the project has built, so that only the crates in the copy are built again. */
function linkDependencies() {
  const [from, to] = [join(root, 'target', 'debug', 'deps'), join(target, 'debug', 'deps')];
  if (existsSync(to) || !existsSync(from)) return;
  mkdirSync(to, { recursive: true });
  for (const part of ['.fingerprint', 'build']) cpSync(join(dirname(from), part), join(dirname(to), part), { recursive: true, preserveTimestamps: true });
  for (const file of readdirSync(from).filter((name) => name.includes('.'))) linkSync(join(from, file), join(to, file));
}

linkDependencies();
const all = steps(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));
const names = new Set(process.argv.length > 2 ? process.argv.slice(2) : all.map(({ name }) => name));
for (const name of names) {
  const own = all.filter((step) => step.name === name);
  if (own.length === 0) throw new Error(`CONTRIBUTING.md has no exercise ${name}`);
  copyProject();
  own.forEach(perform);
  console.log(`The exercise ${name} works as written`);
}
