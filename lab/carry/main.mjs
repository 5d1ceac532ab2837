// Deploys builds of an application one after the other, and opens the routes of all earlier tabs: see README.md.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { chromiumArguments, executablePath } from '../../scripts/chromium.mjs';
import { sitegate as programOf } from '../../scripts/run.mjs';
import { serve } from '../../scripts/serve.mjs';

const { values } = parseArgs({
  options: {
    deployments: { type: 'string', default: '10' },
    without: { type: 'boolean', default: false },
  },
});
const deployments = Number(values.deployments);
const hosts = ['github-pages', 'netlify', 'vercel', 'cloudflare-pages'];
const sitegate = resolve(process.env['SITEGATE'] ?? programOf('debug'));
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
    `const show = (load) => () => load().then((route) => route.show(document.querySelector('main')));
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

/** Serves the live site as a host does. */
async function serveAs(/** @type {string} */ host) {
  const contract = join(folder, `${host}.toml`);
  writeFileSync(contract, `[site]\nroot = "live"\nhost = "${host}"\n`);
  return { host, ...(await serve(sitegate, folder, ['--config', contract, '--stop-after', '600'])) };
}

/** Deploys a build by replacing the site as a whole. */
async function deploy(/** @type {number} */ number) {
  writeApplication(number);
  await build({ root: app, logLevel: 'error', build: { outDir: dist, emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } } });
  if (!values.without && existsSync(live)) run('carry', 'dist', '--from', 'live', '--releases', values.deployments);
  if (number === deployments) run('check', 'dist', '--no-config', '--seal', 'seal.json');
  rmSync(live, { recursive: true, force: true });
  renameSync(dist, live);
}

/** @typedef {{ name: string, page: import('playwright-core').Page, failed: string[] }} Tab */

/**
 * Opens a tab that requests every file from the host: no cache hides that one is gone.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} name
 * @param {string} url
 * @returns {Promise<Tab>}
 */
async function openTab(context, name, url) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  /** @type {string[]} */
  const failed = [];
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  page.on('pageerror', (error) => failed.push(error.message));
  await page.goto(`${url}/`);
  await page.waitForFunction('globalThis.version !== undefined');
  return { name, page, failed };
}

/**
 * Whether a route is shown in the page, with the style of its version and its image.
 *
 * @param {string} name
 */
function isShown(name) {
  const text = document.querySelector(`p.${name}`);
  const version = text?.textContent?.split(' ')[1];
  return text !== null && getComputedStyle(text).order === version && document.querySelector('img')?.naturalWidth === 9;
}

/**
 * Opens both routes of a tab.
 *
 * @param {Tab} tab
 */
async function openRoutes({ page, failed }) {
  // Chromium draws tabs in the background once per second.
  await page.bringToFront();
  for (const route of ['one', 'two']) {
    if (failed.length > 0) return;
    await page.click(`#${route}`);
    await page.waitForFunction(isShown, route, { timeout: values.without ? 500 : 20_000 }).catch(() => failed.push(`route ${route} does not open`));
  }
}

const browser = await chromium.launch({
  executablePath: await executablePath(),
  // Each tab would have a process of its own.
  args: [...chromiumArguments, '--renderer-process-limit=2', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
});
let broken = 0;
/** @type {Awaited<ReturnType<typeof serveAs>>[]} */
const servers = [];
/** @type {Tab[]} */
const tabs = [];
try {
  const context = await browser.newContext();
  await deploy(0);
  servers.push(...(await Promise.all(hosts.map(serveAs))));
  for (let number = 1; number <= deployments; number += 1) {
    tabs.push(...(await Promise.all(servers.map(({ host, origin }) => openTab(context, `${host}, version ${number - 1}`, origin)))));
    await deploy(number);
  }
  for (const tab of tabs) {
    await openRoutes(tab);
    broken += tab.failed.length > 0 ? 1 : 0;
    for (const one of tab.failed) console.log(`${tab.name}: ${one}`);
  }
} finally {
  await browser.close();
  for (const { close } of servers) close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${tabs.length} tabs of ${deployments} deployments on ${hosts.length} hosts, ${broken} broken`);
const isExpected = values.without ? broken > 0 : broken === 0;
process.exitCode = tabs.length > 0 && isExpected ? 0 : 1;
