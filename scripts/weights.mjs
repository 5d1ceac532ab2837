// Measures the transfer size of every page in a browser, served by `sitegate serve` with gzip: for the first paint, and for
// React.
//
//   npm run weights [-- PATH …]     run npm run build first
import { fileURLToPath } from 'node:url';
import { namedPages } from './paths.mjs';
import { sitegate } from './run.mjs';
import { needExport, open } from './serve.mjs';

/**
 * @typedef {import('playwright-core').CDPSession} Session
 * @typedef {{ url: string, type: string | undefined, sent: number, done: number, head: number, bytes: number }} Request
 */

/** Pages that use React. */
const inCharge = '[data-menu]';

/** The delay of each script, which makes dependencies between scripts visible. */
const held = 150;

/**
 * Records the requests and the transfer sizes of their bodies, without headers, which HTTP/2 compresses.
 *
 * @param {Session} session
 */
async function listen(session) {
  /** @type {Map<string, Request>} */
  const requests = new Map();
  await session.send('Network.enable');
  session.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp }) => {
    if (request.url.startsWith('http')) requests.set(requestId, { url: request.url, type, sent: timestamp, done: Infinity, head: 0, bytes: 0 });
  });
  session.on('Network.responseReceived', ({ requestId, type, response }) => Object.assign(requests.get(requestId) ?? {}, { type, head: response.encodedDataLength }));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    const request = requests.get(requestId);
    if (request !== undefined) Object.assign(request, { done: timestamp, bytes: encodedDataLength - request.head });
  });
  return requests;
}

/**
 * Counts the characters of all scripts, including inline scripts, and those that never ran.
 *
 * @param {Session} session
 */
async function coverage(session) {
  const { result } = await session.send('Profiler.takePreciseCoverage');
  let all = 0;
  let unused = 0;
  for (const { url, scriptId, functions } of result) {
    if (!url.startsWith('http')) continue;
    const { scriptSource } = await session.send('Debugger.getScriptSource', { scriptId });
    const runs = new Uint8Array(scriptSource.length).fill(1);
    for (const { ranges } of functions) for (const { count, startOffset, endOffset } of ranges) runs.fill(count > 0 ? 1 : 0, startOffset, endOffset);
    all += runs.length;
    unused += runs.filter((run) => run === 0).length;
  }
  return { all, unused };
}

/**
 * Counts round trips for scripts. A round trip ends when its first script arrives, because later requests may depend on it.
 *
 * @param {Request[]} scripts
 */
function trips(scripts) {
  let count = 0;
  let end = -Infinity;
  for (const { sent, done } of scripts.toSorted((a, b) => a.sent - b.sent)) {
    if (sent >= end) {
      count += 1;
      end = done;
    } else end = Math.min(end, done);
  }
  return count;
}

/**
 * @param {Request[]} requests
 * @param {...string} types
 */
const bytes = (requests, ...types) => requests.filter(({ type }) => types.includes(type ?? '')).reduce((sum, request) => sum + request.bytes, 0);

/**
 * Opens a page, waits, then moves to its header and waits for React.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} address
 * @returns Transfer sizes in bytes, and the number of sequential round trips, including the page.
 */
export async function weigh(browser, address) {
  const context = await browser.newContext({ extraHTTPHeaders: { 'accept-encoding': 'gzip' } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Debugger.enable');
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await page.route('**/*.js', async (route) => {
    await new Promise((done) => setTimeout(done, held));
    await route.continue();
  });
  const requests = await listen(session);
  const all = () => [...requests.values()];
  await page.goto(address, { waitUntil: 'networkidle' });
  const first = { page: bytes(all(), 'Document'), styles: bytes(all(), 'Stylesheet'), fonts: bytes(all(), 'Font') };
  const scriptsAtLoad = bytes(all(), 'Script');
  const atLoad = await coverage(session);
  const header = page.locator('header').first();
  await header.dispatchEvent('pointerover');
  const takesOver = await page.locator(inCharge).waitFor({ state: 'attached', timeout: (await page.locator('[popover]').count()) > 0 ? 20_000 : 1 }).then(
    () => true,
    () => false,
  );
  const inUse = takesOver ? await coverage(session) : { all: 0, unused: 0 };
  const scripts = all().filter(({ type }) => type === 'Script');
  await context.close();
  return { first, scriptsAtLoad, atLoad, takesOver, scripts: bytes(scripts, 'Script'), inUse, trips: takesOver ? 1 + trips(scripts) : 1 };
}

/** @param {number} count */
const kB = (count) => (count / 1000).toFixed(1);
/** @param {{ all: number, unused: number }} covered */
const part = ({ all, unused }) => `${kB(unused)} of ${kB(all)}`;

async function table() {
  const pages = namedPages(process.argv.slice(2), 'npm run weights [-- PATH …]');
  await needExport();
  const { browser, origin, close } = await open(process.env['SITEGATE'] ?? sitegate('debug'));
  const heads = ['kB by gzip', 'HTML', 'styles', 'fonts', 'first paint', 'scripts, at load', 'scripts, interactive', 'trips', 'not run at load, not packed', 'not run, interactive'];
  const rows = [heads, ['---', ...Array(heads.length - 1).fill('--:')]];
  for (const path of pages) {
    const { first, scriptsAtLoad, atLoad, takesOver, scripts, trips: count, inUse } = await weigh(browser, origin + path);
    const interactive = takesOver ? [kB(scripts), count, part(atLoad), part(inUse)] : ['', '', part(atLoad), ''];
    rows.push([path, kB(first.page), kB(first.styles), kB(first.fonts), kB(first.page + first.styles + first.fonts), kB(scriptsAtLoad), ...interactive]);
  }
  await close();
  console.log(rows.map((row) => `| ${row.join(' | ')} |`).join('\n'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await table();
