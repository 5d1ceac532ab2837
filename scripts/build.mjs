// Builds the site into site/dist/client and says what it made.
import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from './install.mjs';

const site = fileURLToPath(new URL('../site/', import.meta.url));
const exported = join(site, 'dist', 'client');
const textual = /\.(html|css|js|svg|xml|txt|webmanifest)$/;

/**
 * All files under a folder, as paths of the published site.
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
 * Vike bundles entries for pages that load none; whatever no page leads to is not published.
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
 * Vike writes its links at the very start of the head, and the character set must come before all else.
 *
 * @param {string} html
 */
const charsetFirst = (html) => html.replace('<meta charSet="utf-8"/>', '').replace('<head>', '<head><meta charset="utf-8">');

/**
 * A script and all that it imports, so that nothing has to arrive before the rest is known.
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
 * The scripts of an interactive page are loaded by start.js, which stands in the page itself. None is asked for before the visitor does
 * anything: they are named by links for no medium, which browsers leave alone and the gate follows.
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
