// Deploys builds of an application one after the other, and opens the routes of all earlier tabs.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { build } from 'vite';

const { values } = parseArgs({
  options: {
    deployments: { type: 'string', default: '10' },
    releases: { type: 'string', default: '10' },
    without: { type: 'boolean', default: false },
  },
});
const deployments = Number(values.deployments);
const hosts = ['github-pages', 'netlify', 'vercel', 'cloudflare-pages'];
const root = fileURLToPath(new URL('../../', import.meta.url));
const sitegate = resolve(process.env['SITEGATE'] ?? join(root, 'target/quick/sitegate'));
const folder = mkdtempSync(join(tmpdir(), 'sitegate-carry-'));
const app = join(folder, 'app');
const dist = join(folder, 'dist');
const live = join(folder, 'live');

/** @param {...string} arguments_ */
const run = (...arguments_) => execFileSync(sitegate, arguments_, { cwd: folder, encoding: 'utf8' });

/**
 * Writes version `number` of the application: two routes with a style and an image of their own, loaded on a click.
 *
 * @param {number} number
 */
function writeApplication(number) {
  rmSync(app, { recursive: true, force: true });
  mkdirSync(app, { recursive: true });
  const file = (/** @type {string} */ name, /** @type {string} */ text) => writeFileSync(join(app, name), text);
  file(
    'index.html',
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title><meta name="description" content="An app">
<link rel="icon" href="data:,"><button id="one">One</button><button id="two">Two</button><main></main><script type="module" src="./main.js"></script>`,
  );
  file(
    'main.js',
    `const show = (load) => () => load().then((route) => route.show(document.querySelector('main')), (error) => { document.title = 'broken: ' + error; });
document.querySelector('#one').addEventListener('click', show(() => import('./one.js')));
document.querySelector('#two').addEventListener('click', show(() => import('./two.js')));
globalThis.version = ${number};`,
  );
  for (const route of ['one', 'two']) {
    // The second route changes with every third version only.
    const version = route === 'one' ? number : Math.floor(number / 3);
    file(`${route}.css`, `.${route} { order: ${version} }`);
    file(`${route}.svg`, `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>${version}</title><rect width="9" height="9"/></svg>`);
    file(
      `${route}.js`,
      `import './${route}.css';
import image from './${route}.svg';
export function show(main) { main.innerHTML = '<p class="${route}">${route} ${version}</p><img alt="" src="' + image + '">'; }`,
    );
  }
}

/** Starts the preview of a host, and returns its URL and a function that stops it. */
async function serve(/** @type {string} */ host) {
  const contract = join(folder, `${host}.toml`);
  writeFileSync(contract, `[site]\nroot = "live"\nhost = "${host}"\n`);
  const child = spawn(sitegate, ['serve', '--config', contract, '--port', '0', '--stop-after', '600'], { cwd: folder });
  const url = await new Promise((done, fail) => {
    let text = '';
    child.stdout.on('data', (part) => {
      text += part;
      const found = /http:\/\/\S+?:\d+/.exec(text);
      if (found) done(found[0]);
    });
    child.on('exit', () => fail(new Error(`the preview of ${host} ended: ${text}`)));
  });
  return { url, stop: () => child.kill() };
}

/** Deploys a build by replacing the site as a whole. */
async function deploy(/** @type {number} */ number) {
  writeApplication(number);
  await build({ root: app, logLevel: 'error', build: { outDir: dist, emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } } });
  if (!values.without && existsSync(live)) run('carry', 'dist', '--from', 'live', '--releases', values.releases);
  run('check', 'dist', '--no-config', '--seal', 'seal.json');
  rmSync(live, { recursive: true, force: true });
  renameSync(dist, live);
}

/** Opens both routes of a tab, and returns what failed. */
async function openRoutes(/** @type {import('playwright-core').Page} */ page) {
  /** @type {string[]} */
  const failed = [];
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  for (const route of ['one', 'two']) {
    await page.click(`#${route}`);
    await page.waitForSelector(`p.${route}`, { timeout: 5000 }).catch(() => failed.push(`route ${route} does not open`));
    await page.waitForLoadState('networkidle');
  }
  return failed;
}

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
});
let broken = 0;
let tabs = 0;
/** @type {{ url: string, stop: () => boolean }[]} */
const servers = [];
try {
  await deploy(0);
  servers.push(...(await Promise.all(hosts.map(serve))));
  /** @type {{ name: string, page: import('playwright-core').Page }[]} */
  const opened = [];
  for (let number = 0; number <= deployments; number += 1) {
    if (number > 0) await deploy(number);
    if (number === deployments) break;
    for (const [index, { url }] of servers.entries()) {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`${url}/`, { waitUntil: 'networkidle' });
      opened.push({ name: `${hosts[index]}, version ${number}`, page });
    }
  }
  for (const { name, page } of opened) {
    tabs += 1;
    const failed = await openRoutes(page);
    broken += failed.length > 0 ? 1 : 0;
    for (const one of failed) console.log(`${name}: ${one}`);
  }
} finally {
  await browser.close();
  for (const { stop } of servers) stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${tabs} tabs of ${deployments} deployments on ${hosts.length} hosts, ${broken} broken`);
const isExpected = values.without ? broken > 0 : broken === 0;
process.exitCode = tabs > 0 && isExpected ? 0 : 1;
