// Tests opening pages with failures: missing or late code, unusual URLs, unusual fragments.
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { home } from '#content/pages/home.ts';
import { page as caching } from '#content/features/smart-caching/page.ts';
import { routes } from '#content/routes.ts';
import { titleOf } from '#content/title.ts';
import { codeWith, firstVisit, hydrated, origin, visit } from './browser.ts';

const code = `**${await codeWith(caching.content.caseStudy.title)}`;
const homeCode = `**${await codeWith(home.closing.text)}`;
const card = (page: Page) => page.locator('a[data-feature="smart-caching"]');
const title = titleOf(routes.find(({ path }) => path === '/smart-caching'));

/** Marks the document, so that a test can detect a reload. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { sameDocument: true }));
const marked = (page: Page) => page.evaluate(() => 'sameDocument' in window);

test('a page whose code does not come is asked for once, then opened by the browser', async () => {
  const { page, close } = await firstVisit('/');
  await hydrated(page);
  await mark(page);
  let asked = 0;
  await page.route(code, (route) => {
    asked += 1;
    return route.fulfill({ status: 404 });
  });
  await card(page).click();
  await page.waitForURL('**/smart-caching');
  await page.waitForLoadState('networkidle');
  expect(await marked(page)).toBe(false);
  expect(await page.title()).toBe(title);
  expect(await page.locator('h1').textContent()).toContain('Pay for an');
  // Once by the first document, and once by the new page, which stays a plain document.
  expect(asked).toBeLessThanOrEqual(2);
  await close();
});

test('going back to a page whose code does not come opens it by the browser too', async () => {
  const { page, close } = await firstVisit('/');
  await hydrated(page);
  await card(page).click();
  await page.locator('[data-part="faq"]').waitFor();
  await page.reload();
  await hydrated(page);
  await mark(page);
  let asked = 0;
  await page.route(homeCode, (route) => {
    asked += 1;
    return route.fulfill({ status: 404 });
  });
  await page.goBack();
  await page.locator('#how-it-works').waitFor();
  await page.waitForLoadState('networkidle');
  expect(await marked(page)).toBe(false);
  expect(new URL(page.url()).pathname).toBe('/');
  expect(asked).toBeLessThanOrEqual(2);
  await close();
});

test('code that comes late: the address waits for it, a line shows it, and the last choice wins', async () => {
  const { page, said, close } = await firstVisit('/');
  await hydrated(page);
  await mark(page);
  const held: Route[] = [];
  await page.route(code, (route) => {
    held.push(route);
  });
  await card(page).click();
  const line = page.getByRole('progressbar', { name: 'Loading the page' });
  await line.waitFor();
  expect(page.url()).toBe(`${origin()}/`);
  await page.locator('a[data-feature="model-routing"]').click();
  await page.waitForURL('**/model-routing');
  for (const route of held) await route.continue();
  await page.waitForLoadState('networkidle');
  expect(new URL(page.url()).pathname).toBe('/model-routing');
  await line.waitFor({ state: 'detached' });
  await page.locator('header').getByRole('button', { name: 'Features' }).hover();
  await page.locator('#features-menu a[href="/smart-caching"]').click();
  await page.waitForURL('**/smart-caching');
  expect(await marked(page)).toBe(true);
  expect(said).toEqual([]);
  await close();
});

test('every spelling of a page that hosts serve is hydrated as that page', async () => {
  const { page, said, close } = await visit('/terms');
  for (const spelling of ['/index.html', '/smart-caching/', '/smart-caching/index.html', '/smart-caching/?from=mail']) {
    await page.goto(origin() + spelling);
    const before = await page.locator('body').innerText();
    await hydrated(page);
    await page.mouse.move(640, 790);
    await expect.poll(() => page.locator('body').innerText()).toBe(before);
    expect(said, spelling).toEqual([]);
  }
  await close();
});

test('a page served below a path that the site does not know stays as it was exported', async () => {
  const { page, said, close } = await firstVisit('/preview/smart-caching', {}, async (opened) => {
    await opened.route('**/preview/smart-caching', async (route) => route.fulfill({ response: await route.fetch({ url: `${origin()}/smart-caching` }) }));
  });
  await page.locator('header').first().dispatchEvent('pointerover');
  await page.waitForLoadState('networkidle');
  expect(await page.locator('h1').textContent()).toContain('Pay for an');
  expect(said).toEqual([]);
  await close();
});

test('a fragment that names nothing, however it is written, leaves the page as it is', async () => {
  const { page, said, close } = await visit('/#100%');
  await hydrated(page);
  await page.locator('header').getByRole('link', { name: 'Benefits' }).click();
  await page.waitForURL('**/#benefits');
  await page.goBack();
  await page.waitForURL('**/#100%');
  expect(await page.locator('h1').isVisible()).toBe(true);
  expect(said).toEqual([]);
  await close();
});
