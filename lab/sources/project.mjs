// Downloads the sources of a project from a registry, and builds them.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installed as installedPackages, packed } from '../real-sites/npm.mjs';
import { environment, sourced } from '../real-sites/python.mjs';
import { run } from '../real-sites/run.mjs';

/**
 * A project: how to get its sources and its generator, how to build it, and where to inject faults.
 *
 * @typedef {Pick<import('../real-sites/recipes.mjs').Steps, 'sdist' | 'pip' | 'pack' | 'npm' | 'files' | 'env' | 'export'>} Steps
 * @typedef {Steps & { name: string, generator: string, build: string[][], debian?: string, crate?: string, cargo?: string, include: string[], plant: string[] }} Recipe
 */

/** The cache folder, outside of this project, because generators would find its settings. */
const kept = join(tmpdir(), 'sitegate-sources');

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
  const folder = join(kept, '.cargo', wanted);
  if (!existsSync(join(folder, 'bin'))) run(['cargo', 'install', '--quiet', '--locked', '--root', folder, wanted], kept);
  return join(folder, 'bin');
}

/**
 * Downloads a project if necessary. Returns its folder and the environment for its build.
 *
 * @param {Recipe} recipe
 */
export function project(recipe) {
  const home = join(kept, recipe.name);
  const app = join(home, 'app');
  if (!existsSync(join(home, 'ready'))) {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(app, { recursive: true });
    if (recipe.sdist) sourced(recipe.sdist, home, app);
    if (recipe.crate) crate(recipe.crate, home, app);
    if (recipe.debian) upstream(recipe.debian, home, app);
    if (recipe.pack) packed(recipe.pack, home, app);
    if (recipe.pip) environment(recipe.pip, home, kept);
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
 * Copies a project for injecting faults and building.
 *
 * @param {{ home: string, app: string }} made
 * @param {string} name
 */
export function copied({ home, app }, name) {
  const copy = join(home, name);
  rmSync(copy, { recursive: true, force: true });
  cpSync(app, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/**
 * Builds a copy and returns the folder of its export.
 *
 * @param {Recipe} recipe
 * @param {string} copy
 * @param {NodeJS.ProcessEnv} env
 */
export function built(recipe, copy, env) {
  for (const command of recipe.build) run(command, copy, env);
  return join(copy, recipe.export);
}
