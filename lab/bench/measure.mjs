// Runs programs alternately and measures wall seconds, CPU seconds and peak memory.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { work } from './corpora.mjs';

/**
 * A program with its arguments.
 *
 * @typedef {[string, ...string[]]} Command
 *
 * Wall seconds, CPU seconds, and peak memory in MiB.
 * @typedef {{ wall: number, cpu: number, memory: number }} Cost
 */

const time = ['/usr/bin/time', 'gtime'].find((program) => spawnSync(program, ['--version']).stdout?.includes('GNU'));

/** Runs a command several times, because GNU time has a resolution of 10 ms. Exit codes other than 0 and 1 are errors. */
const loop = 'n=$0; most=$1; shift; while [ "$n" -gt 0 ]; do "$@"; [ $? -le "$most" ] || exit 2; n=$((n - 1)); done';

/**
 * Whether an exit code is expected: hyperlink exits with 2 if only anchors are broken.
 *
 * @param {Command} command
 */
const mostOf = (command) => (command[0].endsWith('hyperlink') ? 2 : 1);

/**
 * Returns the cost of a run, as the mean of `times` runs.
 *
 * @param {Command} command
 * @param {number} times
 * @returns {Cost}
 */
export function cost(command, times) {
  if (time === undefined) throw new Error('GNU time is missing: apt-get install time, or brew install gnu-time');
  const timesFile = join(work, 'time');
  const start = performance.now();
  const { status, error } = spawnSync(time, ['--quiet', '--format', '%U %S %M', '--output', timesFile, 'sh', '-c', loop, String(times), String(mostOf(command)), ...command], { stdio: 'ignore' });
  const wall = (performance.now() - start) / 1000;
  if (error || status !== 0) throw new Error(`${command.join(' ')}: ${error?.message ?? `ended with ${status}`}`);
  const [user = NaN, system = NaN, kibibytes = NaN] = readFileSync(timesFile, 'utf8').trim().split(' ').map(Number);
  return { wall: wall / times, cpu: (user + system) / times, memory: kibibytes / 1024 };
}

/**
 * Returns the median.
 *
 * @param {number[]} numbers
 */
export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? NaN;

/**
 * Runs all commands alternately for several rounds, and returns the medians. A first run of each only warms the page cache.
 *
 * @param {Command[]} commands
 * @param {number} rounds
 */
export function inTurn(commands, rounds) {
  /** @type {{ command: Command, times: number, costs: Cost[] }[]} */
  const runs = commands.map((command) => ({ command, times: cost(command, 1).wall < 0.2 ? 10 : 1, costs: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { command, times, costs } of runs) costs.push(cost(command, times));
  }
  return runs.map(({ costs }) => medians(costs));
}

/**
 * Returns the median of each cost.
 *
 * @param {Cost[]} costs
 * @returns {Cost}
 */
function medians(costs) {
  /** @param {keyof Cost} kind */
  const of = (kind) => median(costs.map((one) => one[kind]));
  return { wall: of('wall'), cpu: of('cpu'), memory: of('memory') };
}
