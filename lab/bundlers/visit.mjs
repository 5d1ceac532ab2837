// Opens browser windows for visits. Each visit has its own host, and so an empty origin, and its own window.
import { createServer } from 'node:http';
import { watch } from './observe.mjs';
import { serve } from './serve.mjs';

/**
 * @typedef {import('playwright-core').Browser} Browser
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('./serve.mjs').Site} Site
 */

const events = /** @type {const} */ (['pageerror', 'dialog', 'console']);

/** Idle windows of a browser. They show the lobby, a page of the same site, so that they keep their process. */
const idle = /** @type {WeakMap<Browser, Page[]>} */ (new WeakMap());
/** @type {Promise<string> | undefined} */
let lobby;

/** @param {Page} page */
async function enter(page) {
  lobby ??= new Promise((ready) => {
    const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Lobby</title>'));
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.unref().address());
      ready(`http://127.0.0.1:${port}/`);
    });
  });
  await page.goto(await lobby);
}

/** @param {Browser} browser */
async function window(browser) {
  const waiting = idle.get(browser)?.pop();
  if (waiting !== undefined) return waiting;
  const context = await browser.newContext({ reducedMotion: 'reduce', acceptDownloads: false });
  await context.addInitScript(watch);
  const page = await context.newPage();
  context.on('page', (other) => other.close().catch(() => {}));
  await enter(page);
  return page;
}

/**
 * Resets a window for the next visit, or closes it if that fails.
 *
 * @param {Browser} browser
 * @param {Page} page
 */
async function leave(browser, page) {
  for (const event of events) page.removeAllListeners(event);
  try {
    await enter(page);
    await page.context().clearCookies();
    idle.set(browser, [...(idle.get(browser) ?? []), page]);
  } catch {
    await page.context().close();
  }
}

/**
 * Starts a visit. `errors` collects errors of the page's scripts.
 *
 * @param {Browser} browser
 * @param {Site} site
 */
export async function visit(browser, site) {
  const host = await serve(site);
  const page = await window(browser);
  /** @type {Set<string>} */
  const errors = new Set();
  /** @param {unknown} text */
  const note = (text) => errors.add(String(text).replaceAll(host.origin, '').split('\n').slice(0, 1).join());
  page.on('pageerror', (error) => note(error));
  page.on('dialog', (dialog) => dialog.dismiss().catch(() => {}));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) note(message.text());
  });
  return {
    host,
    page,
    errors,
    async close() {
      await leave(browser, page);
      host.close();
    },
  };
}
