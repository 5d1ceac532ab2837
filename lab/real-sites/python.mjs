// Installs generators and the sources of their documentation from PyPI.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { day } from './day.mjs';
import { run } from './run.mjs';

/** The installer that supports package versions of a date. */
const installer = 'uv==0.13.9';

/** @param {string} kept */
function uv(kept) {
  const home = join(kept, '.uv');
  const program = join(home, 'bin', 'uv');
  if (!existsSync(program)) {
    mkdirSync(kept, { recursive: true });
    run(['python3', '-m', 'venv', home], kept);
    run([join(home, 'bin', 'pip'), 'install', '--quiet', installer], kept);
  }
  return program;
}

/**
 * Creates `venv` with packages, each `name==version`. Returns the installed packages.
 *
 * @param {string[]} packages
 * @param {string} home
 * @param {string} kept
 */
export function environment(packages, home, kept) {
  const program = uv(kept);
  const env = { VIRTUAL_ENV: join(home, 'venv') };
  run([program, 'venv', '--quiet', env.VIRTUAL_ENV], home);
  run([program, 'pip', 'install', '--quiet', '--exclude-newer', day, ...packages], home, env);
  return run([program, 'pip', 'freeze'], home, env).trim().split('\n').map((line) => line.replace('==', ' '));
}

/**
 * Unpacks the source distribution of `name==version` into `app`, for its documentation.
 *
 * @param {string} wanted
 * @param {string} home
 * @param {string} app
 */
export function sourced(wanted, home, app) {
  const folder = join(home, 'sdist');
  mkdirSync(folder);
  run(['python3', '-m', 'pip', 'download', '--quiet', '--no-deps', '--no-binary', ':all:', wanted], folder);
  const [file = ''] = readdirSync(folder);
  run(['tar', '-xf', join(folder, file), '-C', app, '--strip-components=1'], home);
  return [wanted.replace('==', ' ')];
}
