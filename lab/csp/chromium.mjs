// Opens pages in Chromium, and collects the violations that it reports.
import { chromium } from 'playwright-core';

/**
 * A violation: `directive source`, and whether a script caused it.
 *
 * @typedef {{ text: string, isByScript: boolean }} Violation
 */

export async function launch() {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
  return { open: (/** @type {string} */ url) => open(browser, url), close: () => browser.close() };
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @returns {Promise<Violation[]>}
 */
async function open(browser, url) {
  const context = await browser.newContext();
  /** @type {Violation[]} */
  const found = [];
  const { origin } = new URL(url);
  await context.exposeBinding('reportViolation', (_, [directive, blocked, file]) => {
    found.push({ text: `${directive} ${source(directive, blocked, origin)}`, isByScript: /\.m?js$/.test(file) });
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      /** @type {any} */ (window).reportViolation([event.effectiveDirective, event.blockedURI, event.sourceFile ?? '']);
    });
  });
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'load', timeout: 20_000 }).catch(() => undefined);
  await page.waitForTimeout(300);
  for (let index = 0; ; index += 1) {
    const isClicked = await page.evaluate((at) => {
      const element = document.querySelectorAll('[data-click]')[at];
      if (element instanceof HTMLFormElement) element.submit();
      else if (element instanceof HTMLElement) element.click();
      return element !== undefined;
    }, index).catch(() => false);
    if (!isClicked) break;
    await page.waitForTimeout(100);
  }
  await context.close();
  return found;
}

/**
 * Writes a source as the findings do.
 *
 * @param {string} directive
 * @param {string} blocked
 * @param {string} origin
 */
function source(directive, blocked, origin) {
  // A form by GET replaces the query.
  const text = directive === 'form-action' ? blocked.replace(/\?$/, '') : blocked;
  if (text.startsWith(`${origin}/`)) return text.slice(origin.length);
  return URL.canParse(text) ? text.replace(/^(https?:\/\/[^/]+)$/, '$1/') : text;
}
