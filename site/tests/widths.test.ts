// Tests all widths from 280 to 1600 px: no word breaks, and nothing is wider than the page.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { routes } from '#content/routes.ts';
import { visit } from './browser.ts';

/** Returns the words on two lines. A word ends at a space, a hyphen, a dash or a slash, after which lines may break. */
const brokenWords = (page: Page) =>
  page.evaluate(() => {
    const broken: string[] = [];
    const range = document.createRange();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.parentElement?.checkVisibility() !== true || node.parentElement.closest('.visually-hidden, svg') !== null) continue;
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[^\s\-–—/]{2,}/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const [first, ...rest] = range.getClientRects();
        if (rest.some(({ top }) => Math.abs(top - (first?.top ?? 0)) > 2)) broken.push(word);
      }
    }
    return broken;
  });

for (const path of [...routes.map((route) => route.path), '/unknown']) {
  test(`${path} breaks no word from 280 to 1600 px`, async () => {
    const { page, close } = await visit(path, { javaScriptEnabled: false, reducedMotion: 'reduce' });
    // Fonts that are too late for the first view are used in the next.
    await page.reload();
    const broken: string[] = [];
    for (let width = 280; width <= 1600; width += 16) {
      await page.setViewportSize({ width, height: 900 });
      broken.push(...(await brokenWords(page)).map((word) => `${word} at ${width} px`));
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), `${width} px`).toBeLessThanOrEqual(0);
    }
    expect(broken).toEqual([]);
    await close();
  });
}

test('a broken word is noticed', async () => {
  const { page, close } = await visit('/', { viewport: { width: 400, height: 800 }, reducedMotion: 'reduce' });
  await page.locator('h1').evaluate((title) => {
    title.textContent = 'Antidisestablishmentarianism';
  });
  expect(await brokenWords(page)).toEqual(['Antidisestablishmentarianism']);
  await close();
});
