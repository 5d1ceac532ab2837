// Sites for benchmarks: documentation from Debian packages, and sites generated from a seed. Each is made once.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/**
 * Encodes a reference for comparison with a page that was read as Latin-1.
 *
 * @param {string} url
 */
const raw = (url) => Buffer.from(url).toString('latin1');

/**
 * Copies a corpus, and replaces every reference that `brokenIn` reports with a link to its own page.
 *
 * @param {string} name
 * @param {(site: string) => Map<string, Set<string>>} brokenIn
 */
export function cleaned(name, brokenIn) {
  const home = join(work, 'sites', `${name}-clean`);
  if (existsSync(home)) return home;
  console.error(`making ${name}-clean`);
  const making = `${home}.making`;
  rmSync(making, { recursive: true, force: true });
  cpSync(corpus(name), making, { recursive: true });
  for (const [file, urls] of brokenIn(making)) {
    const path = join(making, file);
    // Keeps bytes that are not UTF-8.
    const text = readFileSync(path, 'latin1');
    const escaped = [...urls].flatMap((url) => [raw(url), raw(url).replaceAll('&', '&amp;')]);
    const mended = escaped.reduce((page, url) => page.replaceAll(`"${url}"`, '"#"').replaceAll(`'${url}'`, "'#'"), text);
    writeFileSync(path, mended, 'latin1');
  }
  renameSync(making, home);
  return home;
}
