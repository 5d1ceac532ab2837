// Downloads the sources of a project from a registry, builds them, and checks the export.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installed as installedPackages, packed } from '../real-sites/npm.mjs';
import { environment, sourced } from '../real-sites/python.mjs';
import { run } from '../real-sites/run.mjs';

/**
 * A project: how to get its sources and its generator, how to build it, and where to plant faults. The build of some
 * generators ends at a missing image (`needsImages`).
 *
 * @typedef {Pick<import('../real-sites/recipes.mjs').Steps, 'sdist' | 'pip' | 'pack' | 'npm' | 'files' | 'env' | 'export'>} Steps
 * @typedef {import('../../packages/sitegate/report.d.ts').Report} Report
 * @typedef {Report['findings'][number]} Finding
 * @typedef {Steps & { name: string, generator: string, build: string[][], debian?: string, crate?: string, cargo?: string, include: string[], plant: string[], needsImages?: boolean }} Recipe
 */

/** The cache folder, outside of this project, because generators would find its settings. */
const cache = join(tmpdir(), 'sitegate-sources');

/**
 * Unpacks a crate, `name@version`, for its documentation.
 *
 * @param {string} wanted
 * @param {string} home
 * @param {string} app
 */
function crate(wanted, home, app) {
  const [name = wanted, version] = wanted.split('@');
  const folder = join(home, 'crate');
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'src', 'lib.rs'), '');
  const lines = ['[package]', 'name = "x"', 'edition = "2021"', '[dependencies]', `${name} = { version = "=${version}", default-features = false }`];
  writeFileSync(join(folder, 'Cargo.toml'), `${lines.join('\n')}\n`);
  run(['cargo', 'vendor', '--quiet', 'vendor'], folder);
  cpSync(join(folder, 'vendor', name), app, { recursive: true });
}

/**
 * Unpacks the sources of the Debian package `name=version`, with our own sources.list.
 *
 * @param {string} wanted
 * @param {string} home
 * @param {string} app
 */
function upstream(wanted, home, app) {
  const folder = join(home, 'upstream');
  mkdirSync(join(folder, 'lists', 'partial'), { recursive: true });
  const format = 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)';
  writeFileSync(join(folder, 'sources.list'), run(['apt-get', 'indextargets', '--format', format, 'Created-By: Packages', 'Origin: Debian', 'Component: main'], folder));
  const options = [
    `Dir::Etc::sourcelist=${folder}/sources.list`,
    'Dir::Etc::sourceparts=/dev/null',
    'Dir::Etc::trustedparts=/usr/share/keyrings',
    `Dir::State::lists=${folder}/lists`,
  ];
  const apt = ['apt-get', '-qq', ...options.flatMap((option) => ['-o', option])];
  run([...apt, 'update'], folder);
  run([...apt, 'source', '--download-only', wanted], folder);
  const original = readdirSync(folder).find((name) => /\.orig\.tar\./u.test(name));
  if (original === undefined) throw new Error(`${wanted} has no upstream archive`);
  run(['tar', '-xf', join(folder, original), '-C', app, '--strip-components=1'], home);
}

/**
 * Installs a program from the Cargo registry, `name@version`, and returns its folder.
 *
 * @param {string} wanted
 */
function installed(wanted) {
  const folder = join(cache, '.cargo', wanted);
  if (!existsSync(join(folder, 'bin'))) run(['cargo', 'install', '--quiet', '--locked', '--root', folder, wanted], cache);
  return join(folder, 'bin');
}

/**
 * Downloads a project if necessary. Returns its folder and the environment for its build.
 *
 * @param {Recipe} recipe
 */
export function project(recipe) {
  const home = join(cache, recipe.name);
  const app = join(home, 'app');
  if (!existsSync(join(home, 'ready'))) {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(app, { recursive: true });
    if (recipe.sdist) sourced(recipe.sdist, home, app);
    if (recipe.crate) crate(recipe.crate, home, app);
    if (recipe.debian) upstream(recipe.debian, home, app);
    if (recipe.pack) packed(recipe.pack, home, app);
    if (recipe.pip) environment(recipe.pip, home, cache);
    // Next to the sources, because their own package.json has the dependencies of a program.
    if (recipe.npm) installedPackages(recipe.npm, home, {});
    for (const [path, lines] of Object.entries(recipe.files ?? {})) {
      mkdirSync(dirname(join(app, path)), { recursive: true });
      writeFileSync(join(app, path), `${lines.join('\n')}\n`);
    }
    writeFileSync(join(home, 'ready'), '');
  }
  const paths = [join(home, 'venv', 'bin'), join(home, 'node_modules', '.bin'), ...(recipe.cargo ? [installed(recipe.cargo)] : []), process.env.PATH];
  return { home, app, env: { ...recipe.env, PATH: paths.join(':') } };
}

/**
 * Reads descriptions of projects, one file for each.
 *
 * @param {string} folder of this lab
 */
export function described(folder) {
  const path = fileURLToPath(new URL(`${folder}/`, import.meta.url));
  const names = readdirSync(path).map((name) => name.replace('.json', '')).toSorted();
  return new Map(names.map((name) => [name, Object.assign(JSON.parse(readFileSync(join(path, `${name}.json`), 'utf8')), { name })]));
}

/**
 * Copies a project for planting faults and building.
 *
 * @param {{ home: string, app: string }} made
 */
export function copied({ home, app }) {
  const copy = join(home, 'work');
  rmSync(copy, { recursive: true, force: true });
  cpSync(app, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/**
 * Copies a kept build to the folder of all builds, because exports may contain its path.
 *
 * @param {string} kept
 */
export function restored(kept) {
  const work = join(kept, '..', 'work');
  rmSync(work, { recursive: true, force: true });
  // The export must stay newer than its sources.
  cpSync(kept, work, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  return work;
}

/**
 * Builds a copy of a project after a change of its sources, and keeps it. Returns its folder. A build with the same name is
 * used again if `again` is set.
 *
 * @param {Recipe} recipe
 * @param {string} name
 * @param {boolean} again
 * @param {(copy: string, app: string) => void} [change]
 * @param {(copy: string) => void} [finish] - A change of the export.
 */
export function built(recipe, name, again, change, finish) {
  const made = project(recipe);
  const kept = join(made.home, name);
  if (again && existsSync(join(kept, recipe.export))) return kept;
  const copy = copied(made);
  change?.(copy, made.app);
  rebuild(recipe, copy);
  finish?.(copy);
  rmSync(kept, { recursive: true, force: true });
  renameSync(copy, kept);
  return kept;
}

/**
 * Builds a project in a folder.
 *
 * @param {Recipe} recipe
 * @param {string} folder
 */
export function rebuild(recipe, folder) {
  const { env } = project(recipe);
  rmSync(join(folder, recipe.export), { recursive: true, force: true });
  for (const command of recipe.build) run(command, folder, env);
}

/** Returns the part of a contract that names the sources. @param {Recipe} recipe */
export const sourcesOf = ({ include }) => `[source]\ninclude = ${JSON.stringify(include)}\n`;

/**
 * Checks an export with the sources of its recipe, and returns its report.
 *
 * @param {string} sitegate
 * @param {Recipe} recipe
 * @param {string} home
 * @param {string[]} [options]
 */
export function check(sitegate, recipe, home, options = []) {
  writeFileSync(join(home, 'sitegate.toml'), sourcesOf(recipe));
  return checkWithContract(sitegate, recipe, home, options);
}

/**
 * Checks an export with the contract next to it, and returns its report.
 *
 * @param {string} sitegate
 * @param {Recipe} recipe
 * @param {string} home
 * @param {string[]} [options]
 * @returns {Report}
 */
export function checkWithContract(sitegate, recipe, home, options = []) {
  const file = join(home, 'report.json');
  const args = ['check', recipe.export, '--config', 'sitegate.toml', '--report', `json=${file}`, ...options];
  const { status, stderr } = spawnSync(sitegate, args, { cwd: home, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status === 2 || status === null) throw new Error(stderr);
  return JSON.parse(readFileSync(file, 'utf8'));
}
