// Extracts sites and programs from Debian packages, without installing them.
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

/**
 * Unpacks packages, each `name=version`, into one folder.
 *
 * @param {string[]} packages
 * @param {string} home
 * @param {string} folder
 */
export function debian(packages, home, folder) {
  const downloads = mkdtempSync(join(home, 'debian-'));
  for (const wanted of packages) {
    try {
      run(['apt-get', 'download', wanted], downloads);
    } catch (error) {
      throw new Error(moved(wanted, error instanceof Error ? error.message : String(error)), { cause: error });
    }
  }
  for (const file of readdirSync(downloads)) run(['dpkg-deb', '-x', join(downloads, file), folder], home);
  return packages.map((wanted) => wanted.replace('=', ' '));
}

/**
 * Returns a hint for a version that the mirror does not have.
 *
 * @param {string} wanted
 * @param {string} message
 */
function moved(wanted, message) {
  const [name = wanted] = wanted.split('=');
  let offered;
  try {
    offered = /Candidate: (\S+)/u.exec(run(['apt-cache', 'policy', name], '/'))?.[1];
  } catch {
    return `${wanted} cannot be had: this needs Debian's apt-get\n${message}`;
  }
  if (offered === undefined || offered === '(none)') return `${wanted} cannot be had: apt-get update, on Debian 12\n${message}`;
  return `${wanted} is no longer on the mirror, which has ${offered}: name that version in the recipe, and see what is found with it`;
}
