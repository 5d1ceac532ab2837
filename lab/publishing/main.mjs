// Applies the mutations of the algorithm of publishing to a copy, and demands that the simulation finds each: see README.md.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../scripts/run.mjs';

const copy = join(root, 'target', 'mutations');
const source = 'checker/publish/src';

/**
 * Returns the lines of a mutation that begin with a mark, without it.
 *
 * @param {string[]} lines
 * @param {'- ' | '+ '} mark
 */
const marked = (lines, mark) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length)).join('\n');

const described = readFileSync(new URL('mutations.txt', import.meta.url), 'utf8').split(/\n\n+/u).filter((text) => !text.startsWith('#'));
const mutations = described.map((text) => {
  const [title = '', ...lines] = text.trimEnd().split('\n');
  const [name = '', file = ''] = title.split(': ');
  const from = marked(lines, '- ');
  return { name, file, from, to: marked(lines, '+ ') || `if !OFF { ${from} }` };
});

const words = process.argv.slice(2);
const wanted = mutations.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
// Quick ones that find most come first: the first failure ends a mutation.
/** @type {[name: string, seeds: number][]} */
const tests = [
  ['edits_by_hand_stop_the_next_publish', 300],
  ['a_rollback_reads_all_backups_before_it_changes_a_page', 300],
  ['edits_during_a_publish_stay', 300],
  ['a_publisher_stops_if_its_target_is_unlocked', 300],
  ['gc_keeps_as_many_releases_as_requested', 300],
  ['small_sites_survive_a_kill_at_every_request', 300],
  ['others_wait_for_a_slow_publisher', 300],
  ['renewals_of_a_slow_publisher_are_in_order', 300],
  ['random_rounds_end_well', 300],
  ['a_suspended_publisher_overwrites_nothing_and_goes_on_if_no_one_else_ran', 300],
  ['a_publisher_notices_another_one_that_wakes', 300],
  ['a_reader_sees_one_moment', 300],
  ['sites_survive_a_kill_at_every_request', 300],
  // As many as before a landing: some faults need a rare race.
  ['random_rounds_end_well', 10_000],
];

/** All mutations are compiled at once, and the environment selects one. */
const selection = `
/// Whether a mutation is the one to test.
pub(crate) fn is_off(mutation: &str) -> bool {
    static SELECTED: std::sync::LazyLock<Option<String>> =
        std::sync::LazyLock::new(|| std::env::var("SITEGATE_MUTATION").ok());
    SELECTED.as_deref() == Some(mutation)
}
`;

/** @type {Map<string, string>} */
const mutated = new Map();
mutated.set(`${source}/lib.rs`, readFileSync(join(root, source, 'lib.rs'), 'utf8') + selection);
for (const { name, file, from, to } of mutations) {
  const path = `${source}/${file}`;
  const text = mutated.get(path) ?? readFileSync(join(root, path), 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${name}: ${file} does not have this once: ${from}`);
  mutated.set(path, text.replace(from, () => to.replaceAll('OFF', `crate::is_off(${JSON.stringify(name)})`)));
}
for (const file of execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', 'Cargo.toml', 'Cargo.lock', 'checker'], { cwd: root, encoding: 'utf8' }).split('\0')) {
  if (!file || file.includes('/tests/cases/') || !existsSync(join(root, file))) continue;
  const to = join(copy, file);
  const text = mutated.get(file) ?? readFileSync(join(root, file));
  // A file that did not change keeps its time, so that cargo does not compile it again.
  if (existsSync(to) && readFileSync(to).equals(Buffer.from(text))) continue;
  mkdirSync(dirname(to), { recursive: true });
  if (mutated.has(file)) writeFileSync(to, text);
  else cpSync(join(root, file), to);
}

const env = { ...process.env, CARGO_TARGET_DIR: join(copy, 'target'), RUST_BACKTRACE: '0' };
const build = spawnSync('cargo', ['test', '--no-run', '--message-format=json-render-diagnostics', '--test', 'simulation'], {
  cwd: copy,
  env,
  encoding: 'utf8',
  maxBuffer: 1 << 30,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const program = build.stdout
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line))
  .find(({ executable, target }) => executable && target.name === 'simulation')?.executable;
if (build.status !== 0 || !program) throw new Error('the mutations do not compile');

/**
 * Runs the simulation until a test fails. Returns what failed; nothing if no test fails.
 *
 * @param {string} mutation
 */
function simulate(mutation) {
  const options = { cwd: join(copy, 'checker/publish'), encoding: /** @type {const} */ ('utf8'), maxBuffer: 1 << 30 };
  for (const [test, seeds] of tests) {
    const run = spawnSync(program, ['--exact', test], { ...options, env: { ...env, SITEGATE_MUTATION: mutation, SITEGATE_SEEDS: String(seeds) } });
    if (run.status === 0) continue;
    const lines = (run.stdout + run.stderr).split('\n');
    const at = lines.findLastIndex((line) => line.startsWith('at ') || line.includes('panicked at'));
    return `${test}: ${lines[at - 1] ?? ''}, ${lines[at] ?? ''}`;
  }
  return undefined;
}

const plain = simulate('none');
if (plain) throw new Error(`the simulation fails without a mutation: ${plain}`);
let missed = 0;
for (const { name } of wanted) {
  const start = performance.now();
  const wrong = simulate(name);
  missed += Number(!wrong);
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  console.log(wrong ? `found   ${name}, in ${seconds} s, by ${wrong}` : `MISSED  ${name}, in ${seconds} s`);
}
console.log(missed === 0 ? `All ${wanted.length} mutations were found.` : `${missed} of ${wanted.length} mutations were missed.`);
process.exit(missed === 0 ? 0 : 1);
