// Builds the site into site/dist/client and prints the number of pages and files.
import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
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
}

/**
 * Moves the links that Vike writes at the start of the head after the character set, which must be first.
 *
 * @param {string} html
 */
const charsetFirst = (html) => html.replace('<meta charSet="utf-8"/>', '').replace('<head>', '<head><meta charset="utf-8">');

/**
 * Returns a script and all its imports, so that browsers can load them in parallel.
 *
 * @param {string} script
 */
async function withImports(script) {
  const all = new Set([script]);
  for (const file of all) {
    const text = await readFile(join(exported, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*"(\.[^"]+)"/g)) all.add(posix.join(posix.dirname(file), name));
  }
  return [...all];
}

const start = (await readFile(join(site, 'pages', 'interactive', 'start.js'), 'utf8')).replaceAll(/^\s*(?:\/\/.*\n)?/gm, '').trim();

/**
 * Adds links to the scripts of an interactive page, which the inline start.js loads when the visitor first interacts.
 * The links are for no medium: browsers ignore them, but the gate checks them.
 *
 * @param {string} html
 */
async function startLate(html) {
  const [tag, script] = /<script src="\/([^"]+)" type="module" async><\/script>/.exec(html) ?? [];
  if (tag === undefined || script === undefined) return html;
  const links = (await withImports(script)).map((file) => `<link rel="modulepreload" href="/${file}" media="not all">`);
  return html.replace(tag, () => `<script>${start}</script>`).replace('</head>', () => `${links.join('')}</head>`);
}

await install();
await rm(join(site, 'dist'), { recursive: true, force: true });
const { status, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(new URL('../node_modules/vike/bin.js', import.meta.url)), 'build'], {
  cwd: site,
  encoding: 'utf8',
  env: { ...process.env, NODE_ENV: 'production' },
});
if (status !== 0) {
  process.stderr.write(stdout + stderr);
  process.exit(status ?? 1);
}
await prune(await filesOf(exported));
const files = await filesOf(exported);
const pages = files.filter((file) => file.endsWith('.html'));
for (const page of pages) {
  const path = join(exported, page);
  await writeFile(path, await startLate(charsetFirst(await readFile(path, 'utf8'))));
}
console.log(`Built ${pages.length} pages (${files.length} files) into site/dist/client`);
