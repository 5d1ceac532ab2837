// Reads the recipes of sites, one file for each.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A recipe: the steps to make a site, in their order. All but `export` are optional.
 *
 * @typedef {object} Steps
 * @property {string[]} [debian] - Packages to unpack, `name=version`; none is installed.
 * @property {[starter: string, ...args: string[]]} [create] - A starter from npm, `name@version`, and its arguments; it creates the folder `app`.
 * @property {string} [pack] - An npm package, `name@version`, whose sources are the project.
 * @property {string} [sdist] - A source distribution from PyPI, `name==version`, whose documentation is the project.
 * @property {string[]} [tools] - Programs from Debian's packages, `name=version`, unpacked for the build.
 * @property {Record<string, string[]>} [files] - Files to write: path and lines, such as the setting for a static export.
 * @property {string[]} [pip] - Packages from PyPI, `name==version`, in an environment of their own.
 * @property {string[]} [npm] - Packages from npm besides those of the project, `name@version`.
 * @property {Record<string, string>} [env] - Environment variables.
 * @property {string[][]} [build] - Commands.
 * @property {string} export - The folder to check.
 *
 * @typedef {Steps & { site: string, generator: string, digest: string }} Recipe
 */

const folder = fileURLToPath(new URL('sites/', import.meta.url));

/** The sites with a recipe. */
export function known() {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .toSorted();
}

/**
 * Reads the recipe of a site, and adds its name and a digest of its steps.
 *
 * @param {string} site
 * @returns {Recipe}
 */
export function recipe(site) {
  const file = join(folder, `${site}.json`);
  if (!existsSync(file)) throw new Error(`there is no site ${site}: --list names those that are there`);
  const said = JSON.parse(readFileSync(file, 'utf8'));
  const { generator: _, ...made } = said;
  return { ...said, site, digest: createHash('sha256').update(JSON.stringify(made)).digest('hex') };
}
