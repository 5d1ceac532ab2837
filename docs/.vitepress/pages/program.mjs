// Reads the committed descriptions of the program, which tests keep current: its rules, schemas, help, and output for the
// sample. So the documentation is built without the program.
import { readFileSync } from 'node:fs';
import { spans } from './ansi.mjs';

/** @param {string} path - Relative to the root of the project. */
const read = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** @returns {import('./rules.mjs').Rule[]} */
export const rules = () => JSON.parse(read('docs/.vitepress/program/rules.json')).rules;

/** @returns {import('./types.mjs').Contract} */
export const contractSchema = () => JSON.parse(read('sitegate.schema.json'));

/** @returns {import('./types.mjs').Contract} */
export const reportSchema = () => JSON.parse(read('sitegate.report.schema.json'));

/**
 * Returns the help of a command, or that of the program.
 *
 * @param {string} command
 */
export const help = (command) => read(`checker/sitegate/tests/snapshots/help/${command}.txt`);

/** Returns the output of a check of the sample, as lines of spans. */
export const sampleOutput = () => spans(read('docs/.vitepress/program/terminal.txt').trimEnd());

/**
 * The facts of the project in Cargo.toml. `repository` is missing while it names no owner.
 *
 * @typedef {{ version: string, released: boolean, repository: string | undefined }} Project
 */

/**
 * Reads the facts of the project from its manifest.
 *
 * @param {string} [manifest]
 * @returns {Project}
 */
export function project(manifest = read('Cargo.toml')) {
  /** @param {RegExp} pattern */
  const value = (pattern) => {
    const found = pattern.exec(manifest)?.[1];
    if (found === undefined) throw new Error(`Cargo.toml has no ${pattern}`);
    return found;
  };
  const repository = value(/^repository = "([^"]+)"/m);
  return {
    version: value(/^version = "([^"]+)"/m),
    released: value(/^released = (true|false)$/m) === 'true',
    repository: repository.includes('/OWNER/') ? undefined : repository,
  };
}
