// Tests the bill: links of its lines, transitions between pages, and the animation of the pen.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { features, pathOf } from '#content/features.ts';
import { home } from '#content/pages/home.ts';
import { codeWith, hydrated, visit } from './browser.ts';

const paths = features.map(pathOf);
const leadsTo = (page: Page) => page.locator('[data-bill] a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));

/** Records the elements of each transition in `window.carried`. */
async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const carried: string[][] = [];
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      const transition = start(update);
      const note = () => {
        const names = document.getAnimations().map(({ effect }) => /^::view-transition-(?:group|old|new)\((.+)\)$/.exec((effect as KeyframeEffect).pseudoElement ?? '')?.[1] ?? '');
        carried.push([...new Set(names)].filter((name) => name !== '' && name !== 'root').toSorted());
      };
      transition.ready.then(note, () => undefined);
      return transition;
    };
    Object.assign(window, { carried });
  });
}

const carried = (page: Page) => page.evaluate(() => (window as unknown as { carried: string[][] }).carried);

const homeCode = await codeWith(home.closing.text);

/** Waits until the code of the home page is preloaded. Only then is the way back animated. */
async function canGoBack(page: Page): Promise<void> {
  await page.waitForFunction((code) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(code)), homeCode);
  // As text, because vitest transforms imports. The first request for the code has completed by then.
  await page.evaluate(`import('${homeCode}').then(() => new Promise((done) => setTimeout(done)))`);
}

const names = ['bill', 'line-1', 'line-2', 'line-3', 'line-4', 'sum'];

test('each line leads to the page of what strikes it', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false });
  expect(await leadsTo(page)).toEqual(paths);
  for (const path of paths) {
    await page.goto(new URL(path, page.url()).href);
    expect(await leadsTo(page)).toEqual(paths.filter((other) => other !== path));
  }
  await close();
});

test('the bill and its lines are carried to the next page, and back', async () => {
  const { page, said, close } = await visit('/', {}, listen);
  await hydrated(page);
  await page.locator('[data-bill] a').nth(1).click();
  await page.locator('[data-part="faq"]').waitFor();
  await expect.poll(() => carried(page)).toEqual([names]);
  await canGoBack(page);
  await page.goBack();
  await page.locator('#features').waitFor();
  await expect.poll(() => carried(page)).toEqual([names, names]);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
  expect(said).toEqual([]);
  await close();
});

test('a card whose bill is out of sight becomes the bill of its page, and the card again', async () => {
  const { page, said, close } = await visit('/', {}, listen);
  await hydrated(page);
  await page.locator('a[data-feature="model-routing"]').scrollIntoViewIfNeeded();
  const left = await page.evaluate(() => window.scrollY);
  await page.locator('a[data-feature="model-routing"]').click();
  await page.locator('[data-part="faq"]').waitFor();
  await expect.poll(() => carried(page)).toEqual([names]);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await canGoBack(page);
  await page.goBack();
  await page.locator('#features').waitFor();
  await expect.poll(() => carried(page)).toEqual([names, names]);
  expect(await page.evaluate(() => window.scrollY)).toBe(left);
  expect(said).toEqual([]);
  await close();
});

test('where less motion is wanted nothing is carried and nothing moves', async () => {
  const { page, close } = await visit('/', { reducedMotion: 'reduce' }, listen);
  await hydrated(page);
  await page.locator('[data-bill] a').first().click();
  await page.locator('[data-part="faq"]').waitFor();
  expect(await carried(page)).toEqual([]);
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  await close();
});

test('the pen moves only what costs little to move, and the total is never missing', async () => {
  const { page, close } = await visit('/', {}, async (opened) => {
    await opened.addInitScript(() => {
      const lows: number[] = [];
      const look = () => {
        const sum = document.querySelector('[data-was]');
        if (sum !== null) lows.push(Number(getComputedStyle(sum, '::before').opacity) + Number(getComputedStyle(sum.querySelector('ins') ?? sum).opacity));
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
      Object.assign(window, { lows });
    });
  });
  const moved = await page.evaluate(() => document.getAnimations().flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes().flatMap((frame) => Object.keys(frame))));
  const described = new Set(['offset', 'computedOffset', 'easing', 'composite']);
  expect([...new Set(moved)].filter((name) => !described.has(name)).toSorted()).toEqual(['opacity', 'transform']);
  // Scroll animations have no end.
  await page.evaluate(() => Promise.all(document.getAnimations().filter(({ timeline }) => timeline === document.timeline).map(({ finished }) => finished)));
  const lows = await page.evaluate(() => (window as unknown as { lows: number[] }).lows);
  expect(lows.length).toBeGreaterThan(10);
  expect(Math.min(...lows)).toBeGreaterThan(0.9);
  await close();
});

test('a line further down is struck as it comes into view, and not before', async () => {
  const { page, close } = await visit('/smart-caching');
  const line = page.locator('[data-part="case-study"] del').first();
  const length = () => line.evaluate((struck) => new DOMMatrix(getComputedStyle(struck, '::after').transform).a);
  expect(await length()).toBe(0);
  await line.evaluate((struck) => struck.scrollIntoView({ block: 'center', behavior: 'instant' }));
  await expect.poll(length).toBe(1);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  expect(await length()).toBe(1);
  await close();
});
