// Builds the site into site/dist/client and prints the number of pages and files.
import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contentError } from './content-error.mjs';
import { install } from './install.mjs';

const site = fileURLToPath(new URL('../site/', import.meta.url));
const exported = join(site, 'dist', 'client');
const textual = /\.(html|css|js|svg|xml|txt|webmanifest)$/;

/**
 * Returns all files below a folder, as paths of the published site.
 *
 * @param {string} folder
 */
async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted();
}

/**
 * Removes files that no page uses: Vike also bundles entries for pages that load no script.
 *
 * @param {string[]} files
 */
async function prune(files) {
  const assets = new Map(files.filter((file) => file.startsWith('assets/')).map((file) => [posix.basename(file), file]));
  const waiting = files.filter((file) => !file.startsWith('assets/'));
  const reached = new Set();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (!textual.test(file)) continue;
    const text = await readFile(join(exported, file), 'utf8');
    for (const [name, asset] of assets) {
      if (!reached.has(asset) && text.includes(name)) {
        reached.add(asset);
        waiting.push(asset);
      }
    }
  }
  const unused = [...assets.values()].filter((asset) => !reached.has(asset));
  await Promise.all(unused.map((asset) => rm(join(exported, asset))));
  // A published site has no empty folders either.
  const folders = (await readdir(exported, { recursive: true, withFileTypes: true })).filter((entry) => entry.isDirectory());
  const paths = folders.map((folder) => join(folder.parentPath, folder.name)).toSorted((a, b) => b.length - a.length);
  for (const path of paths) if ((await readdir(path)).length === 0) await rmdir(path);
}

await install();
// Needs a package, so it cannot be imported before.
const { cutRareLetters } = await import('./fonts.mjs');
const types = spawnSync(process.execPath, [fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url)), '--noEmit'], { cwd: site, stdio: 'inherit' });
if (types.status !== 0) process.exit(types.status ?? 1);
await rm(join(site, 'dist'), { recursive: true, force: true });
await cutRareLetters();
const { status, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(new URL('../node_modules/vike/bin.js', import.meta.url)), 'build'], {
  cwd: site,
  encoding: 'utf8',
  env: { ...process.env, NODE_ENV: 'production' },
});
if (status !== 0) {
  const error = contentError(stdout + stderr);
  process.stderr.write(error === undefined ? stdout + stderr : `${error}\n`);
  process.exit(status ?? 1);
}
await prune(await filesOf(exported));
const files = await filesOf(exported);
const pages = files.filter((file) => file.endsWith('.html'));
console.log(`Built ${pages.length} pages (${files.length} files) into site/dist/client`);
