// Starters and generators from npm.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { day } from './day.mjs';
import { run } from './run.mjs';

/** The Node.js version for building sites. */
const node = 'node@24.21.0';

/**
 * Runs a starter, `name@version` with arguments, which creates the folder `app`.
 *
 * @param {[starter: string, ...args: string[]]} command
 * @param {string} home
 * @param {string} app
 * @param {NodeJS.ProcessEnv} env
 */
export function created([starter, ...args], home, app, env) {
  run(['npx', '--yes', `--before=${day}`, starter, ...args], home, env);
  if (readdirSync(app).length === 0) throw new Error(`${starter} has made nothing in the folder app`);
  return [spaced(starter)];
}

/**
 * Unpacks a published package into `app`, for its sources and texts.
 *
 * @param {string} name
 * @param {string} home
 * @param {string} app
 */
export function packed(name, home, app) {
  const folder = join(home, 'pack');
  mkdirSync(folder);
  run(['npm', 'pack', '--silent', name], folder);
  const [file = ''] = readdirSync(folder);
  run(['tar', '-xf', join(folder, file), '-C', app, '--strip-components=1'], home);
  return [spaced(name)];
}

/**
 * Installs the dependencies of the project in `app`, and additional packages, each `name@version`.
 *
 * @param {string[]} packages
 * @param {string} app
 * @param {NodeJS.ProcessEnv} env
 */
export function installed(packages, app, env) {
  const project = join(app, 'package.json');
  if (!existsSync(project)) writeFileSync(project, '{ "private": true }\n');
  run(['npm', 'install', `--before=${day}`, '--no-audit', '--no-fund', '--loglevel=error', node, ...packages], app, env);
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(project, 'utf8'));
  return Object.keys({ ...dependencies, ...devDependencies }).map((name) => `${name} ${version(app, name)}`);
}

/**
 * @param {string} app
 * @param {string} name
 */
function version(app, name) {
  const described = join(app, 'node_modules', name, 'package.json');
  return existsSync(described) ? JSON.parse(readFileSync(described, 'utf8')).version : 'left out';
}

/**
 * Formats `name@version` as `name version`. Names may start with `@`.
 *
 * @param {string} wanted
 */
const spaced = (wanted) => wanted.replace(/(?<=.)@/u, ' ');
