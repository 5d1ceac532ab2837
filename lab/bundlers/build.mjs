// Builds the projects of a family, each variant in its own folder, and caches the exports.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../scripts/run.mjs';
import { run } from '../real-sites/run.mjs';

/**
 * A `family.json`: how to create and build a project.
 *
 * @typedef {object} Family
 * @property {string} folder
 * @property {Variant[]} variants
 * @property {string} [like] - A family whose `files/` are copied before this one's own.
 * @property {Record<string, string[]>} [shared] - Files in `shared/` that several families have, by the folder of the project.
 * @property {string[]} [create] - Arguments of `npx --yes`: a starter that creates its project in `app/`. Without it the project is `files/`.
 * @property {string[]} [install] - Packages with exact versions, besides those in `package.json`.
 * @property {string[]} [packages] - Packages whose versions the table shows.
 * @property {string} [host] - A `site.host`, if the default is wrong.
 * @property {string[]} [fallbacks] - Pages that a host answers with and no one opens by name, besides `404.html`.
 * @property {Record<string, string>} [env] - Environment variables of every command.
 *
 * A variant: `build` is a command, `output` its folder, and `mount` the path that it is served under.
 *
 * @typedef {{ name: string, output: string, build?: [string, ...string[]], mount?: string, host?: string, env?: Record<string, string> }} Variant
 */

const families = fileURLToPath(new URL('.', import.meta.url));

/** The date of all package versions. */
const day = '2026-11-20';

/**
 * Returns the folder of a family.
 *
 * @param {string} family
 */
export const workshop = (family) => join(root, 'target', 'bundlers', family);

/**
 * Returns the folder of a variant's export.
 *
 * @param {string} family
 * @param {string} variant
 */
export const exported = (family, variant) => join(workshop(family), 'out', variant);

/** The folders with a `family.json`. */
export function known() {
  return readdirSync(families).filter((name) => existsSync(join(families, name, 'family.json'))).toSorted();
}

/**
 * Reads the `family.json` of `family` or `family/variant`, and adds the name of the folder.
 *
 * @param {string} name
 * @returns {Family}
 */
export function read(name) {
  const [folder = '', only] = name.split('/');
  /** @type {Family} */
  const family = JSON.parse(readFileSync(join(families, folder, 'family.json'), 'utf8'));
  const variants = family.variants.filter((variant) => only === undefined || variant.name === only);
  if (variants.length === 0) throw new Error(`${folder} has no variant ${only}`);
  return { ...family, folder, variants };
}

/**
 * Copies the files of the family into its project, after those of the family that it extends and those that it shares.
 *
 * @param {Family} family
 * @param {string} app
 */
function overlay(family, app) {
  if (family.like !== undefined) overlay(read(family.like), app);
  for (const [folder, names] of Object.entries(family.shared ?? {})) {
    for (const name of names) cpSync(join(families, 'shared', name), join(app, folder, basename(name)));
  }
  const files = join(families, family.folder, 'files');
  if (existsSync(files)) cpSync(files, app, { recursive: true });
}

/**
 * Creates the project of a family: the starter, the files of the family, the packages.
 *
 * @param {Family} family
 */
function prepare(family) {
  const home = workshop(family.folder);
  const app = join(home, 'app');
  rmSync(app, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const env = family.env ?? {};
  if (family.create === undefined) mkdirSync(app);
  else run(['npx', '--yes', ...family.create], home, env);
  overlay(family, app);
  const described = existsSync(join(app, 'package.json'));
  if (!described && family.install !== undefined) writeFileSync(join(app, 'package.json'), '{ "private": true, "type": "module" }\n');
  if (described || family.install !== undefined) {
    run(['npm', 'install', `--before=${day}`, '--no-audit', '--no-fund', '--loglevel=error', ...(family.install ?? [])], app, env);
  }
  writeFileSync(join(home, 'prepared'), '');
}

/**
 * Builds the missing variants, or all.
 *
 * @param {Family} family
 * @param {boolean} fresh
 */
export function build(family, fresh) {
  const missing = family.variants.filter(({ name }) => fresh || !existsSync(exported(family.folder, name)));
  if (missing.length === 0) return;
  const app = join(workshop(family.folder), 'app');
  if (fresh || !existsSync(join(workshop(family.folder), 'prepared'))) prepare(family);
  else overlay(family, app);
  for (const variant of missing) {
    const output = join(app, variant.output);
    if (variant.build !== undefined) {
      rmSync(output, { recursive: true, force: true });
      run(variant.build, app, { NODE_ENV: 'production', ...family.env, ...variant.env });
    }
    const kept = exported(family.folder, variant.name);
    for (const old of [kept, `${kept}.truth.json`, `${kept}.breaks.txt`]) rmSync(old, { recursive: true, force: true });
    cpSync(output, kept, { recursive: true });
  }
  writeFileSync(versionsFile(family), installed(family, app));
}

/**
 * Returns the file with the package versions of a family.
 *
 * @param {Family} family
 */
const versionsFile = (family) => join(workshop(family.folder), 'out', 'versions.txt');

/**
 * Returns the installed versions of the `packages` of a family.
 *
 * @param {Family} family
 * @param {string} app
 */
function installed(family, app) {
  /** @param {string} name */
  const version = (name) => JSON.parse(readFileSync(join(app, 'node_modules', name, 'package.json'), 'utf8')).version;
  return (family.packages ?? []).map((name) => `${name} ${version(name)}`).join(', ');
}

/**
 * Returns the package versions that the variants of a family were built with.
 *
 * @param {Family} family
 */
export const versions = (family) => readFileSync(versionsFile(family), 'utf8');
