// Applies each mutation of the algorithm of publishing in a copy, and demands that the simulation fails: see README.md.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../scripts/run.mjs';
import { mutations } from './mutations.mjs';

const copy = join(root, 'target', 'mutations');
const wanted = process.argv.slice(2);
const source = 'checker/publish/src';

for (const file of execFileSync('git', ['ls-files', '-z', 'Cargo.toml', 'Cargo.lock', 'checker'], { cwd: root, encoding: 'utf8' }).split('\0')) {
  if (!file || !existsSync(join(root, file))) continue;
  const to = join(copy, file);
  // A file that did not change keeps its time, so that cargo does not compile it again.
  if (existsSync(to) && readFileSync(to).equals(readFileSync(join(root, file)))) continue;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(root, file), to);
}

/** Runs the simulation in the copy. Returns whether it passes, and its last lines. */
function simulate() {
  const env = { ...process.env, CARGO_TARGET_DIR: join(copy, 'target'), SITEGATE_SEEDS: '300', SITEGATE_SEED: '1', RUST_BACKTRACE: '0' };
  const run = spawnSync('cargo', ['test', '--quiet', '--package', 'sitegate-publish', '--test', 'simulation'], { cwd: copy, env, encoding: 'utf8' });
  const output = run.stdout + run.stderr;
  if (/could not compile/.test(output)) throw new Error(output);
  return { passes: run.status === 0, wrong: output.split('\n').filter((line) => /^at |^repeat it with/.test(line)).slice(0, 2).join('; ') };
}

const plain = simulate();
if (!plain.passes) throw new Error(`the simulation fails without a mutation: ${plain.wrong}`);
let missed = 0;
for (const { name, file, from, to } of mutations.filter((mutation) => wanted.length === 0 || wanted.some((word) => mutation.name.includes(word)))) {
  const path = join(copy, source, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${name}: ${file} does not have this once: ${from}`);
  writeFileSync(path, text.replace(from, () => to));
  const { passes, wrong } = simulate();
  writeFileSync(path, text);
  missed += Number(passes);
  console.log(`${passes ? 'MISSED' : 'found '}  ${name}${wrong ? `  (${wrong})` : ''}`);
}
console.log(missed === 0 ? 'All mutations were found.' : `${missed} mutations were missed.`);
process.exit(missed === 0 ? 0 : 1);
