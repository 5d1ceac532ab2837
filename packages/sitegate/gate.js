// Checks a finished build and fails it if the site does not pass. All plugins use this.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { commandLine } from './arguments.js';
import { start } from './program.js';

const contractFile = 'sitegate.toml';

/**
 * A finished build: the plugin that checks it, its output folder, its project, the deployment settings of the build tool, and globs of source files
 * relative to the project.
 *
 * @typedef {object} Build
 * @property {string} plugin
 * @property {string} folder
 * @property {string} project
 * @property {import('./contract.d.ts').Contract['site']} [site]
 * @property {string[]} [sources]
 */

/** @typedef {import('./index.d.ts').GateOptions} GateOptions */

/**
 * Returns globs of source files relative to the working directory. The contract rejects globs outside of it.
 *
 * @param {string} project
 * @param {string[]} globs
 */
function sourceSettings(project, globs) {
  const below = relative(process.cwd(), project).replaceAll('\\', '/');
  if (below.startsWith('..') || isAbsolute(below)) return {};
  const prefix = below === '' ? '' : `${below.replaceAll(/[*?[\]{}]/gu, '[$&]')}/`;
  const include = globs.map((glob) => `${prefix}${glob.replaceAll('\\', '/')}`).filter((glob) => !glob.split('/').includes('..'));
  return include.length > 0 ? { source: { include } } : {};
}

/**
 * Returns the contract: the given one, or else the file, or else the deployment settings of the build tool.
 *
 * @param {GateOptions} options
 * @param {Build} build
 */
function contractFor({ contract }, { project, site = {}, sources = [] }) {
  const known = { site, ...sourceSettings(project, sources) };
  if (contract === false) return known;
  if (typeof contract === 'object') return { ...known, ...contract, site: { ...site, ...contract.site } };
  if (contract !== undefined) return contract;
  return [project, process.cwd()].map((folder) => join(folder, contractFile)).find((file) => existsSync(file)) ?? known;
}

/**
 * Returns a path with a slash at both ends, as the contract requires of base paths, or nothing for relative paths and URLs.
 *
 * @param {string | undefined} path
 */
export function basePath(path) {
  if (!path || /^(?:\.|\/\/)|:/u.test(path)) return;
  return `/${path.replaceAll(/^\/+|\/+$/gu, '')}/`.replace('//', '/');
}

/**
 * Returns the origin of a URL, if it is valid.
 *
 * @param {string | undefined} url
 */
export const origin = (url) => (url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined);

let hasWarned = false;

/** Prints once that builds in watch mode are not checked. */
export function skipInWatchMode() {
  if (!hasWarned) console.warn('sitegate: not checked in watch mode');
  hasWarned = true;
}

/**
 * Runs a function with the path of a file in a new folder, and removes the folder.
 *
 * @template T
 * @param {(file: string) => Promise<T>} run
 */
async function withTemporaryFile(run) {
  const folder = mkdtempSync(join(tmpdir(), 'sitegate-'));
  try {
    return await run(join(folder, 'report.json'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Checks a build, prints the report, and rejects if the site does not pass.
 *
 * @param {Build} build
 * @param {GateOptions} options
 */
export async function gate(build, options) {
  if (options.failOn !== 'warning') return checkBuild(build, options);
  return withTemporaryFile((file) => checkBuild(build, { ...options, args: [...(options.args ?? []), '--report', `json=${file}`] }, file));
}

/**
 * @param {Build} build
 * @param {GateOptions} options
 * @param {string} [report] - The JSON report that the check writes, if warnings fail the build.
 */
async function checkBuild(build, options, report) {
  const shown = relative(process.cwd(), build.folder) || '.';
  const { args, input } = commandLine(shown, { ...options, contract: contractFor(options, build) }, `options of ${build.plugin}`);
  const { child, ended } = start(['check', ...args], { cwd: process.cwd(), stdio: ['pipe', 'inherit', 'inherit'] });
  child.stdin?.on('error', () => {}); // if the program fails before it reads the contract, it prints why
  child.stdin?.end(input);
  const { code, signal } = await ended;
  const hasWarnings = code === 0 && report !== undefined && JSON.parse(readFileSync(report, 'utf8')).summary.warnings > 0;
  if ((code === 0 && !hasWarnings) || (code === 1 && options.failOn === 'never')) return;
  const why = code === 0 ? 'has warnings' : code === 1 ? 'does not pass' : `could not be checked (${signal ?? `exit code ${code}`})`;
  const error = new Error(`sitegate: ${shown} ${why}, see above`);
  error.stack = ''; // the report has the details; a stack trace would not help
  throw error;
}
