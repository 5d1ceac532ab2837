// Reads the inventories of documentation generators: see README.md.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { spawnSync } from 'node:child_process';
import { gunzipSync, inflateSync } from 'node:zlib';
import { run, sitegate as program } from '../../scripts/run.mjs';
import { run as runIn } from '../real-sites/run.mjs';
import { project } from '../sources/project.mjs';

/**
 * An export with an inventory, and the addresses that a parser of this file finds in it, such as `/page.html#id`.
 *
 * @typedef {{ name: string, folder: string, inventory: string, addresses: string[] }} Built
 */

const { values: flags } = parseArgs({ options: { sitegate: { type: 'string' } } });
const origin = 'https://docs.example.com';

/** @returns {Built} */
function sphinx() {
  const pip = ['sphinx==8.2.3', 'sphinxcontrib-websupport==2.0.0'];
  const { home, app, env } = project({ name: 'inventories-sphinx', sdist: 'Sphinx==8.2.3', pip, generator: 'Sphinx', build: [], export: '', include: [], plant: [] });
  const folder = join(home, 'site');
  if (!existsSync(folder)) runIn(['sphinx-build', '-Q', '-d', join(home, 'doctrees'), join(app, 'doc'), folder], home, env);
  const bytes = readFileSync(join(folder, 'objects.inv'));
  // Four lines of text, then compressed lines: name, domain:role, priority, address, title. `$` in the address is the name.
  const start = [0, 0, 0, 0].reduce((at) => bytes.indexOf('\n', at) + 1, 0);
  const lines = inflateSync(bytes.subarray(start)).toString().trim().split('\n');
  const addresses = lines.map((line) => {
    const [, name = '', address = ''] = /^(.+?)\s+\S+:\S+\s+-?\d+\s+(\S*)\s+.*$/.exec(line) ?? [];
    return `/${address.replace(/\$$/, name)}`;
  });
  return { name: 'Sphinx 8.2.3, its own documentation', folder, inventory: 'objects.inv', addresses };
}

/** @returns {Built} */
function antora() {
  const home = join(tmpdir(), 'sitegate-sources', 'inventories-antora');
  const folder = join(home, 'build/site');
  if (!existsSync(folder)) {
    rmSync(home, { recursive: true, force: true });
    const pages = join(home, 'docs/modules/ROOT/pages');
    mkdirSync(pages, { recursive: true });
    runIn(['npm', 'install', '--silent', '--no-save', '--prefix', '.', 'antora@3.1.14', '@antora/atlas-extension@1.0.0-alpha.5'], home);
    runIn(['apt-get', '--quiet', 'download', 'asciidoctor'], home);
    const archive = readdirSync(home).find((name) => name.endsWith('.deb')) ?? '';
    runIn(['dpkg-deb', '--extract', archive, 'package'], home);
    const texts = join(home, 'package/usr/share/doc/asciidoctor');
    for (const name of readdirSync(texts).filter((file) => file.endsWith('.adoc.gz'))) {
      writeFileSync(join(pages, basename(name, '.gz')), gunzipSync(readFileSync(join(texts, name))));
    }
    mkdirSync(join(home, 'ui/layouts'), { recursive: true });
    for (const layout of ['default', '404']) {
      writeFileSync(join(home, `ui/layouts/${layout}.hbs`), '<!doctype html><html lang="en"><title>{{page.title}}</title>{{{page.contents}}}\n');
    }
    runIn(['python3', '-m', 'zipfile', '-c', '../ui.zip', 'layouts'], join(home, 'ui'));
    writeFileSync(join(home, 'docs/antora.yml'), 'name: asciidoctor\ntitle: Asciidoctor\nversion: ~\n');
    writeFileSync(
      join(home, 'playbook.json'),
      JSON.stringify({
        site: { title: 'Docs', url: origin },
        content: { sources: [{ url: '.', start_path: 'docs', branches: 'HEAD' }] },
        ui: { bundle: { url: './ui.zip' } },
        antora: { extensions: ['@antora/atlas-extension'] },
        runtime: { cache_dir: './cache', log: { failure_level: 'none' } },
      }),
    );
    const git = ['git', '-c', 'user.name=lab', '-c', 'user.email=lab@example.com'];
    runIn([...git, 'init', '--quiet'], home);
    runIn([...git, 'add', 'docs'], home);
    runIn([...git, 'commit', '--quiet', '--message', 'docs'], home);
    runIn([join(home, 'node_modules/.bin/antora'), 'playbook.json'], home);
  }
  const { components } = JSON.parse(readFileSync(join(folder, 'site-manifest.json'), 'utf8'));
  /** @type {{ versions: Record<string, { pages: { url: string }[] }> }[]} */
  const described = Object.values(components);
  const addresses = described.flatMap(({ versions }) => Object.values(versions).flatMap(({ pages }) => pages.map(({ url }) => url)));
  return { name: "Antora 3.1, Asciidoctor's texts", folder, inventory: 'site-manifest.json', addresses };
}

/** Returns an address as a browser writes it, without the name of a folder's page. */
const normal = (/** @type {string} */ address) => {
  const { pathname, hash } = new URL(address, origin);
  return `${decodeURIComponent(pathname).replace(/\/index\.html$/, '/')}${decodeURIComponent(hash)}`;
};

/** Returns the addresses in the text of an inventory. */
function listed(/** @type {string} */ text) {
  let page = '';
  const [, ...lines] = text.slice(text.indexOf('\n\n') + 1).split('\n');
  return lines.filter(Boolean).map((line) => {
    if (line.startsWith('#')) return normal(page + line);
    [page = ''] = line.split('\t');
    return normal(page);
  });
}

if (!flags.sitegate) run('cargo', ['build', '--quiet', '--release', '--bin', 'sitegate']);
const sitegate = resolve(flags.sitegate ?? program('release'));
const work = join(tmpdir(), 'sitegate-sources', 'inventories');
mkdirSync(work, { recursive: true });
console.log('| export | entries | different addresses | not read | not in the export |\n| --- | ---: | ---: | ---: | ---: |');
for (const { name, folder, inventory, addresses } of [sphinx(), antora()]) {
  const file = join(folder, inventory);
  const contract = `[site]\norigin = "${origin}"\n[permalinks]\nkeep = [${JSON.stringify(file)}]\n`;
  writeFileSync(join(work, 'sitegate.toml'), contract);
  const call = (/** @type {string[]} */ args) => spawnSync(sitegate, args, { cwd: work, encoding: 'utf8', maxBuffer: 1 << 28 });
  const converted = call(['inventory', file]);
  if (converted.status !== 0) throw new Error(converted.stderr);
  const read = new Set(listed(converted.stdout));
  const wanted = new Set(addresses.map(normal));
  const missing = [...wanted].filter((address) => !read.has(address));
  const report = call(['check', folder, '--allow-read', folder, '--format', 'json']);
  if (report.status === 2) throw new Error(report.stderr);
  const { findings } = JSON.parse(report.stdout);
  const lost = findings.filter((/** @type {{ rule: string }} */ { rule }) => ['lost-url', 'lost-anchor'].includes(rule));
  console.log(`| ${name} | ${addresses.length} | ${wanted.size} | ${missing.length} | ${lost.length} |`);
  missing.slice(0, 5).forEach((address) => console.log(`  not read: ${address}`));
  lost.slice(0, 5).forEach((/** @type {{ message: string }} */ { message }) => console.log(`  ${message}`));
  if (missing.length + lost.length > 0) process.exitCode = 1;
}
