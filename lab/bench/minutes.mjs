// Measures what a contributor and CI wait for: the first release, the installation, the tests, and an edit of one rule. Each
// row prints wall and CPU seconds. Every row that is cold begins in a new clone of the commit that is checked out.
//
//   npm run bench:minutes -- [ROW…] [--rev COMMIT] [--list]
//
// Crates and packages are downloaded before, so that the rows measure the machine and not its network.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/run.mjs';

const { values: flags, positionals } = parseArgs({ allowPositionals: true, options: { rev: { type: 'string', default: 'HEAD' }, list: { type: 'boolean', default: false } } });

/**
 * A row: the command, the row whose clone it goes on in, and what is done before.
 *
 * @typedef {{ command: string, after?: string, prepare?: (clone: string) => void }} Row
 */

let edits = 0;

/**
 * Edits a rule: the constant is new code, and all lines after it move.
 *
 * @param {string} clone
 */
function edit(clone) {
  const file = join(clone, 'checker/check/src/rules/missing_doctype.rs');
  edits += 1;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\n(const _: usize = \d+;\n)?\nuse /u, `\nconst _: usize = ${edits};\n\nuse `));
}

const oneRule = 'cargo test --package sitegate-check --test cases missing-doctype';

/** @type {Record<string, Row>} */
const rows = {
  release: { command: 'npm run release' },
  'release-again': { command: 'npm run release', after: 'release' },
  install: { command: 'cargo build --release --package sitegate' },
  rule: { command: oneRule },
  'rule-edited': { command: oneRule, after: 'rule', prepare: edit },
  test: { command: 'npm test' },
  'test-edited': { command: 'npm test', after: 'test', prepare: edit },
  ci: { command: 'bash .ci/run' },
};

const wanted = positionals.length > 0 ? positionals : Object.keys(rows);
const unknown = wanted.filter((name) => rows[name] === undefined);
if (flags.list || unknown.length > 0) {
  if (unknown.length > 0) console.error(`minutes: there is no row ${unknown.join(', ')}`);
  console.log(Object.entries(rows).map(([name, { command, after }]) => `${name.padEnd(14)} ${command}${after ? `, after ${after}` : ''}`).join('\n'));
  process.exit(unknown.length > 0 ? 2 : 0);
}

const work = mkdtempSync(join(tmpdir(), 'minutes-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
/** @type {Record<string, string>} */
const clones = {};
// A clone has a target folder of its own.
const { CARGO_TARGET_DIR: _, ...env } = process.env;

/**
 * @param {string} command
 * @param {string} folder
 */
function must(command, folder) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: folder, env, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`\`${command}\` ended with ${status}:\n${`${stdout}${stderr}`.slice(-4000)}`);
  return stdout;
}

/** Returns a new clone of the commit. @param {string} name */
function cloneOf(name) {
  const clone = join(work, name);
  must(`git clone --quiet . '${clone}' && git -C '${clone}' checkout --quiet "$(git rev-parse '${flags.rev}')"`, root);
  must('cargo fetch --quiet --locked', clone);
  return clone;
}

/** Runs a row, and first the one that it goes on from. @param {string} name @returns {string} */
function measure(name) {
  const { command, after, prepare } = /** @type {Row} */ (rows[name]);
  if (after !== undefined && clones[after] === undefined) measure(after);
  const clone = (after && clones[after]) ?? cloneOf(name);
  prepare?.(clone);
  const times = join(work, 'times');
  must(`TIMEFORMAT='%R %U %S'; { time { ${command}; } > '${join(work, `${name}.log`)}' 2>&1; } 2> '${times}' || { tail -n 40 '${join(work, `${name}.log`)}'; exit 1; }`, clone);
  const [wall = NaN, user = NaN, system = NaN] = readFileSync(times, 'utf8').trim().split(' ').map(Number);
  if (Object.values(rows).some((row) => row.after === name)) clones[name] = clone;
  else rmSync(clone, { recursive: true, force: true });
  console.log(`| ${name} | \`${command}\` | ${wall.toFixed(1)} | ${(user + system).toFixed(1)} |`);
  return clone;
}

console.log(`${must(`git rev-parse --short '${flags.rev}'`, root).trim()}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})\n`);
console.log('| row | command | wall s | CPU s |\n|---|---|---|---|');
for (const name of wanted) if (clones[name] === undefined) measure(name);
