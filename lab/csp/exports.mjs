// Downloads documentation that Debian packages, and lists pages of exports.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Packages of different generators. */
const packages = [
  'python-attr-doc', 'python3-doc', 'sqlite3-doc', 'nodejs-doc', 'python-flask-doc', 'libnghttp2-doc', 'libjs-jquery-ui-docs', 'libeigen3-doc', 'ruby-sequel', 'libsdl2-doc',
  'python-click-doc', 'gnuplot-doc', 'libxslt1-dev', 'postgresql-doc-15',
];

/** The number of packages that are checked: the first ones that can be downloaded and have pages. */
const COUNT = 10;

/**
 * Downloads the packages.
 *
 * @param {string} workshop
 */
export function exportedPackages(workshop) {
  const folder = join(workshop, 'packages');
  mkdirSync(folder, { recursive: true });
  const exports = [];
  for (const name of packages) {
    const unpacked = join(folder, name);
    if (!existsSync(unpacked)) {
      const { status } = spawnSync('apt-get', ['download', name], { cwd: folder, stdio: 'ignore' });
      const file = readdirSync(folder).find((entry) => entry.startsWith(`${name}_`));
      if (status === 0 && file) execFileSync('dpkg', ['-x', join(folder, file), unpacked]);
    }
    const pages = existsSync(unpacked) ? largest(unpacked) : undefined;
    if (pages && exports.length < COUNT) exports.push({ name, folder: pages });
  }
  return exports;
}

/**
 * Returns the folder that has the most pages.
 *
 * @param {string} folder
 */
function largest(folder) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name.endsWith('.html')) counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** How many pages of an export are opened. */
const MAX_PAGES = 12;

/**
 * Pages of an export, spread over all of it.
 *
 * @param {string} folder
 */
export function pagesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const pages = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.html')).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const step = Math.max(1, Math.floor(pages.length / MAX_PAGES));
  return pages.toSorted().filter((_, index) => index % step === 0).slice(0, MAX_PAGES);
}
