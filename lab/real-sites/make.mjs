// Makes a site's export from its recipe, and caches it until the recipe changes.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../scripts/run.mjs';
import { debian } from './debian.mjs';
import { created, installed, packed } from './npm.mjs';
import { environment, sourced } from './python.mjs';
import { run } from './run.mjs';

/** @typedef {import('./recipes.mjs').Recipe} Recipe */

const kept = join(root, 'target', 'real-sites');

/**
 * Returns the folder of a site's export.
 *
 * @param {string} site
 */
export const exported = (site) => join(kept, site);

/**
 * Returns the hidden folder for other files of a site.
 *
 * @param {string} site
 */
export const notes = (site) => join(kept, '.notes', site);

/**
 * Makes a site if it is missing or its recipe changed. Returns whether it was made.
 *
 * @param {Recipe} recipe
 * @param {boolean} fresh
 */
export function make(recipe, fresh) {
  const stamp = join(notes(recipe.site), 'recipe');
  const made = existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
  if (!fresh && made === recipe.digest && existsSync(exported(recipe.site))) return false;
  // Outside of this project, because generators would find its package-lock.json and Cargo.toml.
  const home = join(tmpdir(), 'sitegate-real-sites', recipe.site);
  for (const old of [home, exported(recipe.site), notes(recipe.site)]) rmSync(old, { recursive: true, force: true });
  const app = join(home, 'app');
  // Starters create the folder themselves.
  mkdirSync(recipe.create === undefined ? app : home, { recursive: true });
  const used = follow(recipe, home, app);
  mkdirSync(notes(recipe.site), { recursive: true });
  const lost = copy(join(app, recipe.export), exported(recipe.site));
  if (lost.length > 0) console.log(`${recipe.site}: ${lost.length} symbolic links that lead nowhere are left out, the first one ${lost[0]}`);
  writeFileSync(join(notes(recipe.site), 'versions'), `${used.join('\n')}\n`);
  writeFileSync(stamp, recipe.digest);
  rmSync(home, { recursive: true, force: true });
  return true;
}

/**
 * Runs the steps of a recipe, each of which is optional, and returns the versions that they used.
 *
 * @param {Recipe} recipe
 * @param {string} home
 * @param {string} app
 */
function follow(recipe, home, app) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...recipe.env };
  const used = [];
  if (recipe.debian !== undefined) used.push(...debian(recipe.debian, home, app));
  if (recipe.create !== undefined) used.push(...created(recipe.create, home, app, env));
  if (recipe.pack !== undefined) used.push(...packed(recipe.pack, home, app));
  if (recipe.sdist !== undefined) used.push(...sourced(recipe.sdist, home, app));
  for (const [path, lines] of Object.entries(recipe.files ?? {})) {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    writeFileSync(join(app, path), `${lines.join('\n')}\n`);
  }
  const tools = join(home, 'tools');
  if (recipe.tools !== undefined) {
    used.push(...debian(recipe.tools, home, tools));
    env.LD_LIBRARY_PATH = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((folder) => join(tools, 'usr', 'lib', folder)).join(':');
  }
  const paths = [join(app, 'node_modules', '.bin'), join(home, 'venv', 'bin'), join(tools, 'usr', 'bin')];
  env.PATH = [...paths, process.env.PATH].join(':');
  if (recipe.pip !== undefined) used.push(...environment(recipe.pip, home, kept));
  if (recipe.create !== undefined || recipe.npm !== undefined) used.push(...installed(recipe.npm ?? [], app, env));
  for (const command of recipe.build ?? []) run(command, app, env);
  return used;
}

/**
 * Copies a tree with the targets of its symbolic links. Returns links that are broken or point to a parent folder.
 *
 * @param {string} from
 * @param {string} to
 * @param {string[]} within
 * @returns {string[]}
 */
function copy(from, to, within = []) {
  const around = [...within, realpathSync(from)];
  mkdirSync(to, { recursive: true });
  return readdirSync(from).flatMap((name) => {
    const [source, target] = [join(from, name), join(to, name)];
    const found = statSync(source, { throwIfNoEntry: false });
    if (found === undefined) return [source];
    if (found.isDirectory()) return around.includes(realpathSync(source)) ? [source] : copy(source, target, around);
    copyFileSync(source, target);
    return [];
  });
}
