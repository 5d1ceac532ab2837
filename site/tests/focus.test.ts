// Tests that an element with the keyboard focus is on the screen, and that nothing covers it (WCAG 2.4.7 and 2.4.11).
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hydrated, visit } from './browser.ts';

/** Returns the focused element if most of it is out of sight, after its page has stopped scrolling. */
const outOfSight = (page: Page) =>
  page.evaluate(async () => {
    const element = document.activeElement;
    if (element === null || element === document.body) return;
    const place = () => {
      const { x, y } = element.getBoundingClientRect();
      return `${x} ${y}`;
    };
    for (let before = ''; before !== place(); ) {
      before = place();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
    const { left, top, width, height } = element.getBoundingClientRect();
    // Panels of code are higher than a low window, and links for all of a card are wider than their words.
    if (height > window.innerHeight / 2) return;
    const points = [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.15], [0.5, 0.85]].map(([x = 0, y = 0]) => document.elementFromPoint(left + width * x, top + height * y));
    const seen = points.filter((found) => found !== null && (element.contains(found) || found.contains(element))).length;
    return seen < 2 ? `${element.tagName} ${element.textContent?.slice(0, 40) ?? ''} at ${Math.round(left)}, ${Math.round(top)}` : undefined;
  });

for (const [width, height] of [[390, 780], [640, 400]] as const) {
  test(`at ${width} by ${height} px, the focus is seen on the home page, forwards and backwards`, async () => {
    const { page, close } = await visit('/', { viewport: { width, height }, reducedMotion: 'reduce' });
    await hydrated(page);
    for (const key of ['Tab', 'Shift+Tab']) {
      const hidden: string[] = [];
      let steps = 0;
      do {
        await page.keyboard.press(key);
        const found = await outOfSight(page);
        if (found !== undefined) hidden.push(found);
        steps++;
      } while (await page.evaluate(() => document.activeElement !== document.body));
      expect(steps, key).toBeGreaterThan(50);
      expect(hidden, key).toEqual([]);
    }
    await close();
  });
}

test('with motion, the focus is on the screen at once, because only links scroll smoothly', async () => {
  const { page, close } = await visit('/', { reducedMotion: 'no-preference' });
  for (const path of ['/terms', '/', '/smart-caching']) {
    await page.goto(new URL(path, page.url()).href);
    // The first two frames have only a part of the page, and no one presses a key in them.
    await page.waitForSelector('html:not([data-frame])');
    for (let step = 0; step < 4; step++) {
      await page.keyboard.press('Shift+Tab');
      const [top, bottom] = await page.evaluate(() => {
        const box = document.activeElement?.getBoundingClientRect();
        return [box?.top ?? -1, box?.bottom ?? Infinity] as const;
      });
      expect([top >= 0, bottom <= 800], `${path}, step ${step}: ${top}`).toEqual([true, true]);
    }
  }
  await page.locator('header').first().click({ position: { x: 5, y: 5 } });
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('smooth');
  await close();
});
