// Tests navigation: jumps, links between pages, pages that load in advance, history, focus, and console messages.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { interactiveRoutes, routes } from '#content/routes.ts';
import { settings } from '#content/settings.ts';
import { titleOf } from '#content/title.ts';
import { firstVisit, hydrated, origin, visit } from './browser.ts';

const top = () => window.scrollY;

test('See How It Works scrolls to the section and moves focus there', async () => {
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const { page, close } = await visit('/', { reducedMotion });
    await hydrated(page);
    await page.getByRole('link', { name: 'See How It Works' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('how-it-works');
    const early = await page.evaluate(top);
    await expect.poll(() => page.evaluate(() => document.querySelector('#how-it-works h2')?.getBoundingClientRect().top ?? 0)).toBeLessThan(400);
    const late = await page.evaluate(top);
    if (reducedMotion === 'reduce') expect(early).toBe(late);
    else expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('smooth');
    const under = await page.evaluate(() => (document.querySelector('header')?.getBoundingClientRect().bottom ?? 0) - (document.querySelector('#how-it-works h2')?.getBoundingClientRect().top ?? 0));
    expect(under).toBeLessThan(0);
    await close();
  }
});

test('a link opens its page at the top, with its title and its canonical address', async () => {
  const { page, said, close } = await visit('/', { reducedMotion: 'reduce' });
  await hydrated(page);
  await page.locator('a[data-feature="smart-caching"]').click();
  await page.waitForURL('**/smart-caching');
  await page.locator('[data-part="faq"]').waitFor();
  expect(await page.title()).toBe(titleOf(routes.find(({ path }) => path === '/smart-caching')));
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
  expect(await page.locator('link[rel="canonical"]').getAttribute('href')).toBe(`${settings.origin}/smart-caching`);
  expect(await page.evaluate(top)).toBe(0);
  expect(said).toEqual([]);
  await close();
});

test('a page loads in advance when the visitor points at its link, and this page does not', async () => {
  const { page, said, close } = await firstVisit('/', { reducedMotion: 'reduce' });
  const session = await page.context().newCDPSession(page);
  const early: string[] = [];
  session.on('Preload.prefetchStatusUpdated', ({ prefetchUrl, status }) => {
    if (status === 'Ready') early.push(new URL(prefetchUrl).pathname);
  });
  await session.send('Preload.enable');
  for (const here of ['Benefits', `${settings.name} home`]) {
    await page.locator('header').getByRole('link', { name: here }).first().hover();
    await page.waitForTimeout(500);
  }
  await page.locator('a[data-feature="smart-caching"]').hover();
  await expect.poll(() => early).toEqual(['/smart-caching']);
  expect(said).toEqual([]);
  await close();
});

test('back and forward return to where each page was left', async () => {
  const { page, close } = await visit('/', { reducedMotion: 'reduce' });
  await hydrated(page);
  const card = page.locator('a[data-feature="model-routing"]');
  await card.scrollIntoViewIfNeeded();
  const left = await page.evaluate(top);
  expect(left).toBeGreaterThan(500);
  await card.click();
  await page.waitForURL('**/model-routing');
  await page.locator('[data-part="faq"]').waitFor();
  await page.evaluate(() => window.scrollTo({ top: 700, behavior: 'instant' }));
  await expect.poll(() => page.evaluate(top)).toBe(700);
  // Browsers report a scroll in the next frame. No person goes back before that.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.goBack();
  await expect.poll(() => page.evaluate(top)).toBe(left);
  await page.goForward();
  await expect.poll(() => page.evaluate(top)).toBe(700);
  await close();
});

test('anchors of the home page are reached from another page', async () => {
  const { page, close } = await visit('/smart-caching');
  await hydrated(page);
  await page.locator('header').getByRole('link', { name: 'Benefits' }).click();
  await page.waitForURL('**/#benefits');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('benefits');
  await expect.poll(() => page.evaluate(() => Math.round(document.querySelector('#benefits')?.getBoundingClientRect().top ?? 999))).toBeLessThan(120);
  await close();
});

test('demo links open a new tab, say so, and are on every interactive page', async () => {
  for (const { path } of interactiveRoutes) {
    const html = await readFile(new URL(`../dist/client${path === '/' ? '' : path}/index.html`, import.meta.url), 'utf8');
    const links = html.match(/<a data-demo[^>]*>.*?<\/a>/g) ?? [];
    expect(links.length, path).toBeGreaterThanOrEqual(2);
    for (const link of links) {
      expect(link).toContain(`href="${settings.demoUrl}" target="_blank" rel="noopener"`);
      expect(link).toContain('(opens in a new tab)');
    }
  }
});

test('an unknown path gets the 404 page at any depth, which logs the path', async () => {
  for (const path of ['/nowhere', '/deep/er/still?x=1']) {
    const { page, said, close } = await visit(path);
    expect(await page.locator('main h1').textContent()).toBe('Oops! Page not found');
    expect(await page.locator('main a[href="/"]').textContent()).toBe('Return to Home');
    const own = said.filter((line) => !line.startsWith('Failed to load resource'));
    expect(own).toEqual([`404: no page at ${new URL(path, origin()).pathname}`]);
    await page.getByRole('link', { name: 'Return to Home' }).click();
    await page.waitForURL(`${origin()}/`);
    await close();
  }
});

test('going back and forward at once, without React, is no error', async () => {
  for (const [from, to, short] of [0, 10, 25, 50, 90].flatMap((pause) => [['/', '/smart-caching', pause], ['/', '/terms', pause]] as const)) {
    const { page, said, close } = await firstVisit(from, { reducedMotion: 'no-preference' });
    await page.evaluate((path) => window.location.assign(path), to);
    await page.waitForURL(origin() + to);
    await page.waitForTimeout(240);
    for (const [step, wait] of [[-1, 500], [1, short], [-1, 500]] as const) {
      // The page may be gone before it answers.
      page.evaluate((by) => window.history.go(by), step).catch(() => undefined);
      await page.waitForTimeout(wait);
    }
    expect(said, `${from} ${to} ${short}`).toEqual([]);
    await close();
  }
});
