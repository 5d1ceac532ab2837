// Tests the sample requests, without JavaScript: one is open at a time, and one costs full price.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hydrated, visit } from './browser.ts';

const requests = (page: Page) => page.locator('details[name="request"]');
const costs = [['$0.0294', '$0.0116'], ['$0.05', '$0'], ['$0.03', '$0.002'], ['$0.03', '$0.015'], ['$0.03']];

for (const width of [390, 768, 1280]) {
  test(`at ${width} px each request opens by a click and by keys, alone, and shows its way and its cost`, async () => {
    const { page, close } = await visit('/', { viewport: { width, height: 900 }, javaScriptEnabled: false, reducedMotion: 'reduce' });
    expect(await requests(page).count()).toBe(5);
    for (const [index, cost] of costs.entries()) {
      const request = requests(page).nth(index);
      if (index > 0) {
        await request.locator('summary').focus();
        await (index % 2 === 0 ? request.locator('summary').click() : page.keyboard.press('Enter'));
      }
      const way = request.locator('div').first();
      await way.waitFor();
      expect(await requests(page).evaluateAll((all) => all.map((one) => (one as HTMLDetailsElement).open))).toEqual(costs.map((_, at) => at === index));
      expect((await way.locator('p').first().textContent())?.match(/\$[\d.]+/g)).toEqual(cost);
      const [box, own] = await Promise.all([way.boundingBox(), request.locator('summary').boundingBox()]);
      if (width < 1000) expect(box?.y).toBeGreaterThanOrEqual((own?.y ?? 0) + (own?.height ?? 0) - 1);
      else expect(box?.x).toBeGreaterThan((own?.x ?? 0) + (own?.width ?? 0));
    }
    expect(await requests(page).last().locator('del').count()).toBe(0);
    await close();
  });
}

test('on a wide screen, keys do not close the open request', async () => {
  const { page, close } = await visit('/', { reducedMotion: 'reduce' });
  await hydrated(page);
  const open = () => requests(page).evaluateAll((all) => all.map((one) => (one as HTMLDetailsElement).open));
  await requests(page).first().locator('summary').focus();
  for (const key of ['Enter', 'Space']) {
    await page.keyboard.press(key);
    expect(await open()).toEqual([true, false, false, false, false]);
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(open).toEqual([false, true, false, false, false]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press('Enter');
  await expect.poll(open).toEqual([false, false, false, false, false]);
  await close();
});

test('both prices of a request are on one line', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false, reducedMotion: 'reduce' });
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const [was, now] = await Promise.all([requests(page).first().locator('del').boundingBox(), requests(page).first().locator('ins').boundingBox()]);
    expect((now?.x ?? 0) - (was?.x ?? 0) - (was?.width ?? 0), `${width}`).toBeGreaterThan(8);
    expect(Math.abs((now?.y ?? 0) + (now?.height ?? 0) / 2 - (was?.y ?? 0) - (was?.height ?? 0) / 2), `${width}`).toBeLessThan(8);
  }
  await close();
});

test('what is skipped has a line through it, and what happens is marked', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false, reducedMotion: 'reduce' });
  await requests(page).nth(1).locator('summary').click();
  const stops = requests(page).nth(1).locator('ol strong');
  expect(await stops.evaluateAll((names) => names.map((name) => [name.textContent, getComputedStyle(name).textDecorationLine]))).toEqual([
    ['Shortened', 'none'],
    ['Looked up', 'none'],
    ['Routed', 'line-through'],
  ]);
  const [passed, works] = await stops.evaluateAll((names) => names.map((name) => getComputedStyle(name.parentElement ?? name, '::after').backgroundColor));
  expect(works).not.toBe(passed);
  await close();
});
