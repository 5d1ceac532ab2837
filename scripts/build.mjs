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
 * Returns scripts and all their imports, so that browsers can load them in parallel.
 *
 * @param {string[]} scripts
 */
async function withImports(scripts) {
  const all = new Set(scripts);
  for (const file of all) {
    const text = await readFile(join(exported, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*"(\.[^"]+)"/g)) all.add(posix.join(posix.dirname(file), name));
  }
  return [...all];
}

const start = (await readFile(join(site, 'pages', 'interactive', 'start.js'), 'utf8')).replaceAll(/^\s*(?:\/\/.*\n)?/gm, '').trim();

/** The scripts of each page besides those of all pages, from site/build/scripts.ts. */
/** @type {Record<string, string[]>} */
let screens = {};

/**
 * Adds links to the scripts of an interactive page, which the inline start.js loads when the visitor first interacts.
 * The links are for no medium: browsers ignore them, but the gate checks them.
 *
 * @param {string} html
 * @param {string} path - The path of the page.
 */
async function startLate(html, path) {
  const [tag, script] = /<script src="\/([^"]+)" type="module" async><\/script>/.exec(html) ?? [];
  if (tag === undefined || script === undefined) return html;
  const links = (await withImports([script, ...(screens[path] ?? [])])).map((file) => `<link rel="modulepreload" href="/${file}" media="not all">`);
  return html.replace(tag, () => `<script>${start}</script>`).replace('</head>', () => `${links.join('')}</head>`);
}

await install();
const types = spawnSync(process.execPath, [fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url)), '--noEmit'], { cwd: site, stdio: 'inherit' });
if (types.status !== 0) process.exit(types.status ?? 1);
await rm(join(site, 'dist'), { recursive: true, force: true });
const { status, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(new URL('../node_modules/vike/bin.js', import.meta.url)), 'build'], {
  cwd: site,
  encoding: 'utf8',
  env: { ...process.env, NODE_ENV: 'production' },
});
if (status !== 0) {
  // An error of the settings is a sentence for the person who set them, who needs no stack.
  const [settings] = /The site's settings cannot be used:(?:\n  .*)+/.exec(stdout + stderr)?.[0].split(/\n\s+at /) ?? [];
  process.stderr.write(settings === undefined ? stdout + stderr : `${settings}\n`);
  process.exit(status ?? 1);
}
screens = JSON.parse(await readFile(join(exported, 'screens.json'), 'utf8'));
await rm(join(exported, 'screens.json'));
await prune(await filesOf(exported));
const files = await filesOf(exported);
const pages = files.filter((file) => file.endsWith('.html'));
for (const page of pages) {
  const file = join(exported, page);
  const path = `/${page.replace(/\/?index\.html$/, '')}`;
  await writeFile(file, await startLate(charsetFirst(await readFile(file, 'utf8')), path));
}
console.log(`Built ${pages.length} pages (${files.length} files) into site/dist/client`);
