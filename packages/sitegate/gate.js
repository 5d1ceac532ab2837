// Ends a build that does not pass: what all plugins do once their tool has written the site.
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { commandLine } from './arguments.js';
import { start } from './program.js';

const contractFile = 'sitegate.toml';

/**
 * What was written and from where, what the tool knows of the site, and globs of what people edit, from the project's folder.
 *
 * @typedef {object} Build
 * @property {string} folder
 * @property {string} project
 * @property {import('./contract.d.ts').Contract['site']} [site]
 * @property {string[]} [sources]
 */

/** @typedef {import('./index.d.ts').GateOptions} GateOptions */

/**
 * Globs of what people edit, from the working directory; the contract takes none from outside of it.
 *
 * @param {string} project
 * @param {string[]} globs
 */
function sourcesOf(project, globs) {
  const below = relative(process.cwd(), project).replaceAll('\\', '/');
  if (below.startsWith('..') || isAbsolute(below)) return {};
  const prefix = below === '' ? '' : `${below.replaceAll(/[*?[\]{}]/gu, '[$&]')}/`;
  const include = globs.map((glob) => `${prefix}${glob.replaceAll('\\', '/')}`).filter((glob) => !glob.split('/').includes('..'));
  return include.length > 0 ? { source: { include } } : {};
}

/**
 * The contract that holds: as it was given, or the file, or what the tool knows of the site by itself.
 *
 * @param {GateOptions} options
 * @param {Build} build
 */
function contractOf({ contract }, { project, site = {}, sources = [] }) {
  const known = { site, ...sourcesOf(project, sources) };
  if (contract === false) return known;
  if (typeof contract === 'object') return { ...known, ...contract, site: { ...site, ...contract.site } };
  if (contract !== undefined) return contract;
  return [project, process.cwd()].map((folder) => join(folder, contractFile)).find((file) => existsSync(file)) ?? known;
}

/**
 * A path of the URL with a slash at both ends, as the contract writes base paths; nothing for what is relative or a URL.
 *
 * @param {string | undefined} path
 */
export function basePath(path) {
  if (!path || /^(?:\.|\/\/)|:/u.test(path)) return;
  return `/${path.replaceAll(/^\/+|\/+$/gu, '')}/`.replace('//', '/');
}

/**
 * The origin of a URL, where there is one.
 *
 * @param {string | undefined} url
 */
export const origin = (url) => (url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined);

/**
 * Shows the report, and rejects where the export does not pass.
 *
 * @param {Build} build
 * @param {GateOptions} options
 */
export async function gate(build, options) {
  const shown = relative(process.cwd(), build.folder) || '.';
  const { args, input } = commandLine(shown, { ...options, contract: contractOf(options, build) });
  const { child, ended } = start(['check', ...args], { cwd: process.cwd(), stdio: ['pipe', 'inherit', 'inherit'] });
  child.stdin?.on('error', () => {}); // a program that reads no contract closes it, and says why
  child.stdin?.end(input);
  const { code, signal } = await ended;
  if (code === 0) return;
  const why = code === 1 ? 'does not pass' : `could not be checked (${signal ?? `exit code ${code}`})`;
  const error = new Error(`sitegate: ${shown} ${why}, see above`);
  error.stack = error.message; // the report says what is wrong; where this file stands is of no use
  throw error;
}
