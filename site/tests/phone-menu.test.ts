// The menu of small screens in a browser.
import { expect, test } from 'vitest';
import { hydrated, visit } from './browser.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

test('toggles, lists the same items as the wide header, and holds the page still', async () => {
  const { page, close } = await visit('/', phone);
  await hydrated(page);
  const menu = page.locator('[data-phone-menu]');
  const toggle = menu.locator('summary');
  await toggle.tap();
  const words = await menu.locator('nav').innerText();
  for (const word of ['Features', 'Prompt optimization', 'Smart caching', 'Model routing', 'Usage analytics', 'Benefits', 'Testimonials', 'Book a Demo Call']) {
    expect(words).toContain(word);
  }
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).toBe('hidden');
  expect(await page.locator('main').evaluate((main) => main.hasAttribute('inert'))).toBe(true);
  await toggle.tap();
  expect(await menu.locator('nav').isVisible()).toBe(false);
  await expect.poll(() => page.locator('main').evaluate((main) => main.hasAttribute('inert'))).toBe(false);
  await close();
});

test('closes on Escape with focus on the toggle, and on choice', async () => {
  const { page, close } = await visit('/', phone);
  await hydrated(page);
  const menu = page.locator('[data-phone-menu]');
  await menu.locator('summary').tap();
  await page.keyboard.press('Escape');
  expect(await menu.locator('nav').isVisible()).toBe(false);
  expect(await menu.locator('summary').evaluate((element) => element === document.activeElement)).toBe(true);
  await menu.locator('summary').tap();
  await menu.getByRole('link', { name: 'Testimonials' }).tap();
  await page.waitForURL('**/#testimonials');
  expect(await menu.locator('nav').isVisible()).toBe(false);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('testimonials');
  await close();
});

test('opens without JavaScript', async () => {
  const { page, close } = await visit('/', { ...phone, javaScriptEnabled: false });
  const menu = page.locator('[data-phone-menu]');
  await menu.locator('summary').tap();
  expect(await menu.getByRole('link', { name: 'Model routing' }).isVisible()).toBe(true);
  await close();
});
