// Runs programs in turn and tells what they cost: wall seconds, CPU seconds, peak memory.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { work } from './corpora.mjs';

const time = ['/usr/bin/time', 'gtime'].find((program) => spawnSync(program, ['--version']).stdout?.includes('GNU'));

/** Runs a command so many times, since GNU time counts in hundredths of a second. A broken site ends a check with 1, and other codes end the measurement. */
const loop = 'n=$0; most=$1; shift; while [ "$n" -gt 0 ]; do "$@"; [ $? -le "$most" ] || exit 2; n=$((n - 1)); done';

/** hyperlink ends with 2 where only anchors are broken. */
const mostOf = (command) => (command[0].endsWith('hyperlink') ? 2 : 1);

/** What one run cost, as the mean of `times` runs. */
export function cost(command, times) {
  if (time === undefined) throw new Error('GNU time is missing: apt-get install time, or brew install gnu-time');
  const told = join(work, 'time');
  const start = performance.now();
  const { status, error } = spawnSync(time, ['--quiet', '--format', '%U %S %M', '--output', told, 'sh', '-c', loop, String(times), String(mostOf(command)), ...command], { stdio: 'ignore' });
  const wall = (performance.now() - start) / 1000;
  if (error || status !== 0) throw new Error(`${command.join(' ')}: ${error?.message ?? `ended with ${status}`}`);
  const [user, system, kibibytes] = readFileSync(told, 'utf8').trim().split(' ').map(Number);
  return { wall: wall / times, cpu: (user + system) / times, memory: kibibytes / 1024 };
}

/** The middle of some numbers. */
export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];

/** Runs each command in turn, round after round, and gives the medians of each; a first run of each only warms the page cache. */
export function inTurn(commands, rounds) {
  const times = commands.map((command) => (cost(command, 1).wall < 0.2 ? 10 : 1));
  const runs = commands.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, command] of commands.entries()) runs[index].push(cost(command, times[index]));
  }
  return runs.map((costs) => Object.fromEntries(['wall', 'cpu', 'memory'].map((kind) => [kind, median(costs.map((one) => one[kind]))])));
}
