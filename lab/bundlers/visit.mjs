// Visits: each has a host of its own, and so an origin where nothing is stored, and a window that nobody else has at the time.
import { createServer } from 'node:http';
import { watch } from './observe.mjs';
import { serve } from './serve.mjs';

const events = ['pageerror', 'dialog', 'console'];

/** The windows of a browser that nobody has now. They wait in the lobby, a page of the same site, so that they keep their process. */
const idle = new WeakMap();
let lobby;

async function enter(page) {
  lobby ??= new Promise((ready) => {
    const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Lobby</title>'));
    server.listen(0, '127.0.0.1', () => ready(`http://127.0.0.1:${server.unref().address().port}/`));
  });
  await page.goto(await lobby);
}

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

/** Empties a window for the next visit; one that cannot be emptied is closed. */
async function leave(browser, page) {
  for (const event of events) page.removeAllListeners(event);
  try {
    await enter(page);
    await page.context().clearCookies();
    if (!idle.has(browser)) idle.set(browser, []);
    idle.get(browser).push(page);
  } catch {
    await page.context().close();
  }
}

/** Begins a visit: `errors` gathers what the page's scripts raise. */
export async function visit(browser, site) {
  const host = await serve(site);
  const page = await window(browser);
  const errors = new Set();
  const note = (text) => errors.add(String(text).replaceAll(host.origin, '').split('\n')[0]);
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
