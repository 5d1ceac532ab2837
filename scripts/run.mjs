// Runs the project's commands one after the other, and reports which one failed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The variables that the contract of the site may read. */
export const permissions = ['--allow-env', 'SITE_ORIGIN', '--allow-env', 'SITE_DEMO_URL'];

/**
 * How to install missing commands.
 *
 * @type {Record<string, string>}
 */
const origins = { cargo: 'install Rust with rustup', npm: 'install Node.js 20.19 or later' };

/**
 * Runs a command in the root of the project and shows its output. Exits if the command fails.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
export function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  if (error) {
    const origin = origins[command];
    console.error(`${command}: ${error.message}${origin ? `; ${origin}` : ''}`);
    process.exit(2);
  }
  if (status !== 0) process.exit(status ?? 1);
}

/** @type {{ title: string, time: number }[]} */
const taken = [];
/** @param {number} milliseconds */
const seconds = (milliseconds) => (milliseconds / 1000).toFixed(1).padStart(7);

/**
 * Runs a command with {@link run}, and prints a heading and its duration.
 *
 * @param {string} title
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
export function step(title, command, args, env) {
  console.log(`\n── ${title}`);
  const start = performance.now();
  run(command, args, env);
  const time = performance.now() - start;
  taken.push({ title, time });
  console.log(`── ${title}: ${seconds(time).trim()} s`);
}

/** Returns the duration of each step and the total, one per line. */
export function times() {
  const all = { title: 'all', time: taken.reduce((sum, { time }) => sum + time, 0) };
  return [...taken, all].map(({ title, time }) => `${seconds(time)} s  ${title}`).join('\n');
}

/**
 * Returns the path of the program for a profile of cargo: `debug`, `quick` or `release`.
 *
 * @param {string} profile
 */
export const sitegate = (profile) => `${root}target/${profile}/sitegate${process.platform === 'win32' ? '.exe' : ''}`;

/** The program that {@link buildGate} builds. */
export const gate = sitegate('quick');

/**
 * Builds the program for this site: not optimized, and without the network.
 *
 * @param {string[]} [args] - Further arguments for cargo.
 */
export function buildGate(args = []) {
  if (!existsSync(gate)) console.log('Building the gate (once, 1 to 2 minutes on 2 cores)');
  run('cargo', ['build', '--package', 'sitegate', '--no-default-features', '--profile', 'quick', ...args]);
}
