// Runs the project's commands one after the other, and reports which one failed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

/** @param {Record<string, string>} env */
const options = (env) => ({ cwd: root, env: { ...process.env, ...env }, shell: process.platform === 'win32' });

/**
 * Reports that a command did not start, and exits.
 *
 * @param {string} command
 * @param {Error} error
 * @returns {never}
 */
function notStarted(command, error) {
  const origin = origins[command];
  console.error(`${command}: ${error.message}${origin ? `; ${origin}` : ''}`);
  process.exit(2);
}

/**
 * Runs a command in the root of the project and shows its output. Exits if the command fails.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
export function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, { ...options(env), stdio: 'inherit' });
  if (error) notStarted(command, error);
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Runs two commands at the same time, since one of them seldom keeps all cores busy. Exits if one fails.
 *
 * @param {[string, string[]]} shown - The command whose output is shown, with its progress.
 * @param {[string, string[]]} quiet - The command whose output is shown when it ends.
 */
export async function runBoth(shown, quiet) {
  /** @type {Buffer[]} */
  const output = [];
  const showOutput = () => process.stdout.write(Buffer.concat(output.splice(0)));
  const children = [shown, quiet].map(([command, args], index) => {
    const child = spawn(command, args, { ...options({}), stdio: index === 0 ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    return { child, ended: new Promise((done) => child.once('error', (error) => notStarted(command, error)).once('close', done)) };
  });
  const endAll = () => children.forEach(({ child }) => child.kill());
  process.once('exit', endAll);
  await Promise.all(
    children.map(async ({ ended }) => {
      const status = await ended;
      if (status === 0) return;
      showOutput();
      process.exit(typeof status === 'number' ? status : 1);
    }),
  );
  process.off('exit', endAll);
  showOutput();
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
  const end = begin(title);
  run(command, args, env);
  end();
}

/**
 * Runs two commands with {@link runBoth}, and prints a heading and their duration.
 *
 * @param {string} title
 * @param {[string, string[]]} shown
 * @param {[string, string[]]} quiet
 */
export async function stepOfBoth(title, shown, quiet) {
  const end = begin(title);
  await runBoth(shown, quiet);
  end();
}

/**
 * Prints the heading of a step, and returns a function that prints and records its duration.
 *
 * @param {string} title
 */
function begin(title) {
  console.log(`\n── ${title}`);
  const start = performance.now();
  return () => {
    const time = performance.now() - start;
    taken.push({ title, time });
    console.log(`── ${title}: ${seconds(time).trim()} s`);
  };
}

/** Returns the duration of each step and the total, one per line. */
export function times() {
  const all = { title: 'all', time: taken.reduce((sum, { time }) => sum + time, 0) };
  return [...taken, all].map(({ title, time }) => `${seconds(time)} s  ${title}`).join('\n');
}

/** @type {string | undefined} */
let targets;

/** Returns the folder that cargo builds in: `CARGO_TARGET_DIR`, `build.target-dir`, or `target`. */
function targetFolder() {
  if (targets === undefined) {
    const { stdout, stderr, status, error } = spawnSync('cargo', ['metadata', '--no-deps', '--format-version', '1'], { ...options({}), encoding: 'utf8' });
    if (error) notStarted('cargo', error);
    if (status !== 0) {
      process.stderr.write(stderr);
      process.exit(status ?? 1);
    }
    targets = String(JSON.parse(stdout).target_directory);
  }
  return targets;
}

/**
 * Returns the path of the program for a profile of cargo: `debug`, `quick`, `release` or `dist`.
 *
 * @param {string} profile
 * @param {string} target - The `--target` of cargo, if it has one.
 */
export const sitegate = (profile, target = '') => join(targetFolder(), target, profile, `sitegate${process.platform === 'win32' ? '.exe' : ''}`);

/**
 * Returns the program to measure: the given one, or the one that is released, which it builds. Prints its profile.
 *
 * @param {string | undefined} given - The path of a program.
 */
export function measuredProgram(given) {
  if (given === undefined) run('cargo', ['build', '--quiet', '--profile', 'dist', '--package', 'sitegate']);
  console.log(`program: ${given ?? 'profile `dist` of Cargo.toml, as released'}`);
  return given === undefined ? sitegate('dist') : resolve(given);
}

/** The arguments of cargo that build the program for this site: not optimized, and without the network. */
const gateBuild = ['build', '--package', 'sitegate', '--no-default-features', '--profile', 'quick'];

/**
 * Builds the program for this site, and returns its path.
 *
 * @param {string[]} [args] - Further arguments for cargo.
 */
export function buildGate(args = []) {
  announceFirstBuild();
  run('cargo', [...gateBuild, ...args]);
  return sitegate('quick');
}

/** Builds the site and the program for it at the same time, and returns the path of the program. */
export async function buildSiteAndGate() {
  announceFirstBuild();
  await runBoth(['cargo', gateBuild], [process.execPath, ['scripts/build.mjs']]);
  return sitegate('quick');
}

function announceFirstBuild() {
  if (!existsSync(sitegate('quick'))) console.log('Building the gate (once, about a minute on 2 cores)');
}
