// The menu of small screens in a browser.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hydrated, isExpanded, visit } from './browser.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const toggle = (page: Page) => page.locator('header').getByRole('button', { name: 'Menu' });
const menu = (page: Page) => page.locator('[data-phone-menu]');

/** Waits, because browsers convert taps to clicks with a delay. */
async function open(page: Page): Promise<void> {
  await toggle(page).tap();
  await menu(page).waitFor();
}

test('opens and closes, lists the same items as the wide header, and holds the page still', async () => {
  const { page, close } = await visit('/', phone);
  await hydrated(page);
  await open(page);
  const words = await menu(page).innerText();
  for (const word of ['Features', 'Prompt optimization', 'Smart caching', 'Model routing', 'Usage analytics', 'Benefits', 'Testimonials', 'Book a Demo Call']) {
    expect(words).toContain(word);
  }
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).toBe('hidden');
  await menu(page).getByRole('button', { name: 'Close' }).tap();
  await menu(page).waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).not.toBe('hidden');
  await close();
});

test('closes on Escape with focus on the button, and on choice', async () => {
  const { page, close } = await visit('/', phone);
  await hydrated(page);
  await open(page);
  await page.keyboard.press('Escape');
  await menu(page).waitFor({ state: 'hidden' });
  expect(await toggle(page).evaluate((element) => element === document.activeElement)).toBe(true);
  await open(page);
  await menu(page).getByRole('link', { name: 'Testimonials' }).tap();
  await page.waitForURL('**/#testimonials');
  await menu(page).waitFor({ state: 'hidden' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('testimonials');
  await close();
});

test('closes when focus leaves it, and Skip to content then leads to the content', async () => {
  const { page, close } = await visit('/', phone);
  await hydrated(page);
  await open(page);
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await menu(page).waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
  await close();
});

for (const [width, height] of [[844, 390], [667, 375], [320, 256]] as const) {
  test(`every item can be reached at ${width} by ${height} px, with JavaScript and without`, async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, close } = await visit('/', { viewport: { width, height }, hasTouch: true, javaScriptEnabled });
      if (javaScriptEnabled) await hydrated(page);
      await open(page);
      const demo = menu(page).getByRole('link', { name: 'Book a Demo Call' });
      await demo.scrollIntoViewIfNeeded();
      const box = await demo.boundingBox();
      expect(box === null ? -1 : box.y).toBeGreaterThanOrEqual(0);
      expect(box === null ? Infinity : box.y + box.height).toBeLessThanOrEqual(height);
      await close();
    }
  });
}

test('opens, closes and scrolls away on choice without JavaScript', async () => {
  const { page, close } = await visit('/', { ...phone, javaScriptEnabled: false });
  await open(page);
  expect(await isExpanded(page, 'Menu')).toBe(true);
  expect(await menu(page).getByRole('link', { name: 'Model routing' }).isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await menu(page).waitFor({ state: 'hidden' });
  await open(page);
  await menu(page).getByRole('link', { name: 'Benefits' }).tap();
  await page.waitForURL('**/#benefits');
  const covered = await menu(page).evaluate((panel) => panel.getBoundingClientRect().bottom > (document.querySelector('#benefits h2')?.getBoundingClientRect().top ?? 0));
  expect(covered).toBe(false);
  await close();
});

test('an address with a fragment is silent, and opening the menu focuses Close', async () => {
  const { page, said, close } = await visit('/#benefits', phone);
  await hydrated(page);
  await open(page);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Close');
  expect(said).toEqual([]);
  await close();
});
