// Reads the recipes of sites, one file for each.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A recipe: the steps to make a site. docs/real-sites.md describes the keys.
 *
 * @typedef {object} Steps
 * @property {string[]} [debian]
 * @property {[starter: string, ...args: string[]]} [create]
 * @property {string} [pack]
 * @property {string} [sdist]
 * @property {string[]} [tools]
 * @property {Record<string, string[]>} [files]
 * @property {string[]} [pip]
 * @property {string[]} [npm]
 * @property {Record<string, string>} [env]
 * @property {string[][]} [build]
 * @property {string} export
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
