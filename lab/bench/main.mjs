// Benchmarks sitegate and other tools with third-party documentation and with generated sites.
//
//   npm run bench [-- ROW…] [--rounds N] [--sitegate PATH] [--with lychee] [--list]
//
// Prints a table: medians of wall seconds, CPU seconds and peak memory, and the speedup of sitegate by wall and CPU time.
// Needs GNU time, and apt-get for the documentation. Installs hyperlink and lychee with cargo.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measuredProgram, root, run } from '../../scripts/run.mjs';
import { corpus, work } from './corpora.mjs';
import { inTurn } from './measure.mjs';
import { watched } from './watch.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    sitegate: { type: 'string' },
    with: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
  },
});

/**
 * @typedef {import('./measure.mjs').Command} Command
 * @typedef {import('./measure.mjs').Cost} Cost
 * @typedef {(mine: Cost, all: Cost[]) => string} Goal - Returns whether it is met, from the costs of all runs of a row.
 *
 * A row of the table: runs to measure, or measured seconds.
 * @typedef {{ goal?: Goal, runs?: Record<string, Command>, seconds?: Record<string, number>, met?: string }} Row
 */

mkdirSync(work, { recursive: true });
const rounds = Number(flags.rounds);
let sitegate = '';

/**
 * Returns the path of another tool, and installs it if necessary.
 *
 * @param {string} name
 * @param {string} version
 */
function peer(name, version) {
  const path = join(work, 'bin', name);
  if (!existsSync(path)) run('cargo', ['install', '--quiet', '--locked', '--root', work, `${name}@${version}`]);
  return path;
}

/**
 * @param {string} site
 * @param {...string} options
 * @returns {Command}
 */
const check = (site, ...options) => [sitegate, 'check', site, '--no-config', ...options];
/**
 * @param {string} site
 * @returns {Command}
 */
const hyperlink = (site) => [peer('hyperlink', '0.3.2'), '--check-anchors', site];
/**
 * @param {string} site
 * @returns {Command}
 */
const lychee = (site) => [peer('lychee', '0.24.2'), '--offline', '--include-fragments', '--no-progress', '--root-dir', site, `${site}/**/*.html`];

/**
 * Writes a contract with some assertions that every page passes.
 *
 * @param {string} site
 * @param {string[]} selectors
 * @returns {Command}
 */
function contract(site, selectors) {
  const path = join(work, `assertions-${selectors.length}.toml`);
  const assertions = selectors.map((select) => `[[assert]]\nname = "${select}"\npages = "/**"\nselect = "${select}"\nmin = 0\nmax = 1000000\n`);
  writeFileSync(path, `[site]\nroot = ${JSON.stringify(site)}\n${assertions.join('')}`);
  return [sitegate, 'check', '--config', path];
}

const selectors = ['h1', 'title', 'main', 'nav a[href]', 'meta[name=description]', 'link[rel=stylesheet]', 'img:not([alt])', 'a.external', '#content', 'body > header'];

/**
 * @param {number} number
 * @param {number} digits
 */
const fixed = (number, digits) => number.toFixed(digits);
/**
 * @param {boolean} holds
 * @param {string} words
 */
const met = (holds, words) => `${words}: ${holds ? 'met' : 'missed'}`;
/**
 * Returns the goal that a check is this many times as fast as hyperlink, by wall time.
 *
 * @param {number} goal
 * @returns {Goal}
 */
const faster = (goal) => (mine, [, , other]) => met((other?.wall ?? NaN) / mine.wall >= goal, `${goal} times hyperlink's speed`);
/**
 * @param {number} seconds
 * @param {number} [mebibytes]
 * @returns {Goal}
 */
const within = (seconds, mebibytes) => (mine) =>
  met(mine.wall <= seconds && mine.memory <= (mebibytes ?? Infinity), `${seconds < 1 ? `${seconds * 1000} ms` : `${seconds} s`}${mebibytes === undefined ? '' : `, ${mebibytes} MiB`}`);

/**
 * Returns the runs of sitegate, with human and JSON output, and of other tools on a site.
 *
 * @param {string} site
 * @param {Goal} goal
 * @returns {Row}
 */
function beside(site, goal) {
  const runs = { sitegate: check(site), 'sitegate, JSON': check(site, '--format', 'json'), hyperlink: hyperlink(site) };
  return { goal, runs: flags.with.includes('lychee') ? { ...runs, lychee: lychee(site) } : runs };
}

/** @type {Record<string, () => Row | Promise<Row>>} */
const rows = {
  rust: () => beside(corpus('rust'), faster(5)),
  openjdk: () => beside(corpus('openjdk'), faster(2)),
  linux: () => beside(corpus('linux'), faster(2)),
  boost: () => beside(corpus('boost'), faster(2)),
  git: () => beside(corpus('git'), faster(2)),
  python: () => beside(corpus('python'), faster(3.5)),
  postgres: () => beside(corpus('postgres'), faster(2.5)),
  pages50k: () => beside(corpus('pages50k'), faster(4)),
  lost: () => beside(corpus('lost'), within(0.2)),
  million: () => ({ goal: within(15, 300), runs: { sitegate: check(corpus('small-1000000')) } }),
  seal: () => ({ runs: { 'no seal': check(corpus('pages50k')), seal: check(corpus('pages50k'), '--seal', join(work, 'seal.json')) } }),
  contract: () => ({
    goal: (none, [, , ten]) => met((ten?.cpu ?? NaN) <= none.cpu * 1.25, 'ten for a quarter more CPU'),
    runs: Object.fromEntries([0, 1, 10].map((count) => [`${count} assertions`, contract(corpus('rust'), selectors.slice(0, count))])),
  }),
  watch: async () => {
    const { median, worst, checks } = await watched(sitegate, corpus('rust'), 'std/primitive.bool.html', 20);
    const seconds = { 'median of 20 edits': median, 'the slowest': worst, 'the check alone, median': checks };
    return { seconds, met: met(median <= 0.05, '50 ms') };
  },
  start: () => ({ goal: within(0.02), runs: { 'this site': [sitegate, 'check', '--config', join(root, 'sitegate.toml')] } }),
};

/**
 * Measures a row, and prints its lines of the table.
 *
 * @param {string} name
 * @param {() => Row | Promise<Row>} row
 */
async function print(name, row) {
  const { goal, runs, seconds, met: verdict } = await row();
  for (const [index, [label, number]] of Object.entries(seconds ?? {}).entries()) {
    console.log(`| ${index === 0 ? name : ''} | ${label} | ${fixed(number, 3)} | | | | ${index === 0 ? verdict : ''} |`);
  }
  if (runs === undefined) return;
  const costs = inTurn(Object.values(runs), rounds);
  const labels = Object.keys(runs);
  for (const [index, cost] of costs.entries()) {
    const [{ wall, cpu, memory }, first = cost] = [cost, costs[0]];
    const times = index === 0 ? '' : `${fixed(wall / first.wall, 2)} / ${fixed(cpu / first.cpu, 2)}`;
    const said = index === 0 ? (goal?.(first, costs) ?? '') : '';
    console.log(`| ${index === 0 ? name : ''} | ${labels[index]} | ${fixed(wall, 3)} | ${fixed(cpu, 3)} | ${fixed(memory, 0)} | ${times} | ${said} |`);
  }
}

const wanted = positionals.length > 0 ? positionals : Object.keys(rows);
const unknown = wanted.filter((name) => rows[name] === undefined);
if (unknown.length > 0 || !(rounds >= 1)) {
  console.error(`bench: ${unknown.length > 0 ? `there is no row ${unknown.join(', ')}` : 'rounds is a number from 1'}; the rows are ${Object.keys(rows).join(' ')}`);
  process.exitCode = 2;
} else if (flags.list) {
  console.log(Object.keys(rows).join('\n'));
} else {
  sitegate = measuredProgram(flags.sitegate);
  const version = spawnSync(sitegate, ['--version'], { encoding: 'utf8' }).stdout.trim();
  console.log(`${version}, medians of ${rounds} rounds in turn, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})\n`);
  console.log('| site | program | wall s | CPU s | MiB | to the first: wall / CPU | goal |\n|---|---|---|---|---|---|---|');
  for (const name of wanted) if (rows[name] !== undefined) await print(name, rows[name]);
}
