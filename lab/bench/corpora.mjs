// Sites for benchmarks: documentation from Debian packages, and sites generated from a seed. Each is made once.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { debian } from '../real-sites/debian.mjs';
import { root } from '../../scripts/run.mjs';
import { documentation, lostSection, small } from '../../scripts/synthetic.mjs';

/** The folder of corpora and other tools. */
export const work = join(root, 'target', 'bench');

/**
 * Extracts the documentation from a package.
 *
 * @param {string} name
 * @param {string} folder
 * @returns {(home: string) => void}
 */
const from = (name, folder) => (home) => {
  const unpacked = `${home}.unpacked`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true });
  debian([name], unpacked, unpacked);
  // Symbolic links out of the tree are broken here.
  const site = join(unpacked, 'usr/share/doc', folder);
  cpSync(site, home, { recursive: true, dereference: false, filter: (path) => existsSync(path) });
  rmSync(unpacked, { recursive: true });
};

const seed = 13;
/** @type {Record<string, (home: string) => void>} */
const corpora = {
  rust: from('rust-doc', 'rust-doc/html'),
  openjdk: from('openjdk-17-doc', 'openjdk-17-jre-headless/api'),
  linux: from('linux-doc-6.1', 'linux-doc-6.1/html'),
  boost: from('libboost1.74-doc', 'libboost1.74-doc/doc'),
  git: from('git-doc', 'git-doc'),
  python: from('python3.11-doc', 'python3.11/html'),
  postgres: from('postgresql-doc-15', 'postgresql-doc-15/html'),
  pages50k: (home) => documentation(home, seed),
  lost: (home) => lostSection(home, seed),
  ...Object.fromEntries([1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000].map((pages) => [`small-${pages}`, (home) => small(home, seed, pages)])),
};

/**
 * Returns the folder of a corpus, and makes it if necessary.
 *
 * @param {string} name
 */
export function corpus(name) {
  const home = join(work, 'sites', name);
  if (existsSync(home)) return home;
  console.error(`making ${name}`);
  mkdirSync(join(work, 'sites'), { recursive: true });
  const making = `${home}.making`;
  rmSync(making, { recursive: true, force: true });
  corpora[name]?.(making);
  renameSync(making, home);
  return home;
}
