// Compares the findings of blocked-by-csp with the violations that Chromium reports: see README.md.
import { cpSync, existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildForTests } from '../../scripts/debug.mjs';
import { root, sitegate } from '../../scripts/run.mjs';
import { launch } from './chromium.mjs';
import { exportedPackages, pagesOf } from './exports.mjs';
import { findings, serve } from './findings.mjs';
import { page, policy } from './pages.mjs';
import { random } from './random.mjs';

const { values: flags } = parseArgs({
  options: {
    pages: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    port: { type: 'string', default: '4871' },
    exports: { type: 'boolean', default: false },
    sitegate: { type: 'string' },
  },
});

if (!flags.sitegate) buildForTests();
const program = flags.sitegate ?? sitegate('debug');
const workshop = join(root, 'target', 'csp');
const port = Number(flags.port);
const origin = `http://127.0.0.1:${port}`;

/**
 * The names of findings that depend on what a visitor does or has: forms, links, a choice of images, or an element that
 * a style applies to.
 */
const isConditional = (/** @type {string} */ text, /** @type {boolean} */ isInPage) =>
  !isInPage || /^(?:form-action|manifest-src|default-src|connect-src|img-src|font-src|media-src|worker-src) /.test(text) || text === 'script-src-elem inline';

/**
 * Compares the pages of an export. Returns the number of differences.
 *
 * @param {{ folder: string, pages: string[], assets: (page: string, file: string) => boolean, isExact: boolean }} site
 */
async function compare({ folder, pages, assets, isExact }) {
  const found = findings(program, folder);
  const stop = await serve(program, folder, port);
  const browser = await launch();
  let differences = 0;
  let violations = 0;
  let byScripts = 0;
  const pending = [...pages];
  const work = async () => {
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const file = next;
      const events = await browser.open(`${origin}/${encodeURI(file).replace(/(?:^|(?<=\/))index\.html$/, '')}`);
      const seen = new Set(events.map(({ text }) => text));
      const own = found.get(file) ?? new Set();
      const all = new Set(own);
      for (const [other, more] of found) if (other !== file && assets(file, other)) for (const text of more) all.add(text);
      const scripts = new Set(events.filter(({ isByScript }) => isByScript).map(({ text }) => text));
      const missing = [...seen].filter((text) => !all.has(text) && (isExact || !scripts.has(text)));
      const surplus = [...all].filter((text) => !seen.has(text) && (isExact || !isConditional(text, own.has(text))));
      violations += seen.size;
      byScripts += isExact ? 0 : [...scripts].filter((text) => !all.has(text)).length;
      differences += missing.length + surplus.length;
      if (missing.length + surplus.length > 0) console.log(`${folder}/site/${file}\n  not reported: ${missing.join(', ')}\n  not in Chromium: ${surplus.join(', ')}`);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  await browser.close();
  stop();
  console.log(`${folder}: ${pages.length} pages, ${violations} violations, ${byScripts} by running scripts, ${differences} differences`);
  return differences;
}

/** Writes random pages, each in its own folder and with its own policy. */
function generated() {
  const folder = join(workshop, 'generated');
  rmSync(folder, { recursive: true, force: true });
  const choices = random(Number(flags.seed));
  let contract = `[site]\norigin = "${origin}"\n`;
  const pages = Array.from({ length: Number(flags.pages) }, (_, number) => {
    const { html, files } = page(choices, number);
    const path = `p${number}/index.html`;
    for (const [name, content] of Object.entries({ ...files, 'index.html': html })) {
      const file = join(folder, 'site', `p${number}`, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    contract += `\n[[headers]]\npaths = ["/${path}"]\nset.Content-Security-Policy = ${JSON.stringify(policy(choices, false))}\n`;
    return path;
  });
  writeFileSync(join(folder, 'sitegate.toml'), contract);
  return { folder, pages, isExact: true, assets: (/** @type {string} */ file, /** @type {string} */ other) => other.startsWith(`${dirname(file)}/`) };
}

/**
 * Copies an export, and gives it one policy.
 *
 * @param {string} name
 * @param {string} export_
 * @param {string} text
 */
function withPolicy(name, export_, text) {
  const folder = join(workshop, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Links to other packages are broken here.
  cpSync(export_, join(folder, 'site'), { recursive: true, filter: (file) => !lstatSync(file).isSymbolicLink() });
  writeFileSync(join(folder, 'sitegate.toml'), `[site]\norigin = "${origin}"\n\n[[headers]]\npaths = ["/**"]\nset.Content-Security-Policy = ${JSON.stringify(text)}\n`);
  return { folder, pages: pagesOf(join(folder, 'site')), isExact: false, assets: (/** @type {string} */ _, /** @type {string} */ file) => /\.m?(?:css|js)$/.test(file) };
}

let differences = await compare(generated());
const own = join(root, 'site', 'dist', 'client');
const strict = ["default-src 'self'", "default-src 'none'", "default-src 'self'; script-src 'auto'; style-src 'self' 'unsafe-inline'"];
if (existsSync(own)) for (const [at, text] of strict.entries()) differences += await compare(withPolicy(`own-${at}`, own, text));
if (flags.exports) {
  const choices = random(Number(flags.seed));
  for (const { name, folder } of exportedPackages(workshop)) {
    differences += await compare(withPolicy(name, folder, `${choices.pick(strict)}; ${policy(choices, false)}`));
  }
}
process.exitCode = differences > 0 ? 1 : 0;
