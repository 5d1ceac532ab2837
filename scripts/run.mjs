// Runs the project's commands one after the other, and says which one failed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * How to get what a missing command belongs to.
 *
 * @type {Record<string, string>}
 */
const origins = { cargo: 'install Rust with rustup', npm: 'install Node.js 20.19 or later' };

/**
 * Runs a command at the top of the project with its output shown; ends the process when it fails.
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
 * {@link run} under a heading, with the time it took.
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

/** How long each step took, a line for each, and all of them. */
export function times() {
  const all = { title: 'all', time: taken.reduce((sum, { time }) => sum + time, 0) };
  return [...taken, all].map(({ title, time }) => `${seconds(time)} s  ${title}`).join('\n');
}

/**
 * The program that cargo makes for a profile: `debug`, `quick` or `release`.
 *
 * @param {string} profile
 */
export const sitegate = (profile) => `${root}target/${profile}/sitegate${process.platform === 'win32' ? '.exe' : ''}`;

/** The program of {@link buildGate}. */
export const gate = sitegate('quick');

/** Builds what a look at this site needs: a program that is not optimised, and publishes to folders only. */
export function buildGate() {
  if (!existsSync(gate)) console.log('Building the gate (once, 1 to 2 minutes on 2 cores)');
  run('cargo', ['build', '--package', 'sitegate', '--no-default-features', '--profile', 'quick']);
}
