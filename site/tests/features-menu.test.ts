// The Features menu in a browser: opening, the exact close delay, keys, and use without JavaScript.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { firstVisit, hydrated, isExpanded, visit } from './browser.ts';

const button = (page: Page) => page.locator('header').getByRole('button', { name: 'Features' });
const firstItem = (page: Page) => page.locator('#features-menu a').first();
const expanded = (page: Page) => button(page).getAttribute('aria-expanded');

/** Opens a page with a clock that the test controls. */
async function stillPage() {
  const visited = await firstVisit('/', {}, (page) => page.clock.install());
  await visited.page.clock.runFor(5000);
  await hydrated(visited.page);
  await visited.page.clock.pauseAt(await visited.page.evaluate(() => Date.now() + 1000));
  return visited;
}

test('is open 149 ms after the pointer has left, and closed at 150 ms', async () => {
  const { page, close } = await stillPage();
  await button(page).hover();
  expect(await expanded(page)).toBe('true');
  expect(await firstItem(page).isVisible()).toBe(true);
  await page.mouse.move(640, 700);
  await page.clock.runFor(149);
  expect(await expanded(page)).toBe('true');
  expect(await firstItem(page).isVisible()).toBe(true);
  await page.clock.runFor(1);
  expect(await expanded(page)).toBe('false');
  expect(await firstItem(page).isVisible()).toBe(false);
  await close();
});

test('stays open when the pointer comes back in time', async () => {
  const { page, close } = await stillPage();
  await button(page).hover();
  await page.mouse.move(640, 700);
  await page.clock.runFor(149);
  await firstItem(page).hover();
  await page.clock.runFor(1000);
  expect(await expanded(page)).toBe('true');
  await close();
});

test('lists the four feature pages', async () => {
  const { page, close } = await visit('/');
  const hrefs = await page.locator('#features-menu a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(hrefs).toEqual(['/prompt-optimization', '/smart-caching', '/model-routing', '/usage-analytics']);
  await close();
});

test('opens with Enter, Space and ArrowDown, moves with arrows, and Escape gives focus back', async () => {
  const { page, close } = await visit('/');
  await hydrated(page);
  for (const key of ['Enter', 'Space']) {
    await button(page).focus();
    await page.keyboard.press(key);
    expect(await expanded(page)).toBe('true');
    await page.keyboard.press(key);
    expect(await expanded(page)).toBe('false');
  }
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => firstItem(page).evaluate((item) => item === document.activeElement)).toBe(true);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('/smart-caching');
  await page.keyboard.press('Escape');
  expect(await expanded(page)).toBe('false');
  expect(await button(page).evaluate((element) => element === document.activeElement)).toBe(true);
  await close();
});

test('closes when focus leaves, and is closed on the page that is chosen', async () => {
  const { page, close } = await visit('/');
  await hydrated(page);
  await button(page).focus();
  await page.keyboard.press('Enter');
  await page.locator('header').getByRole('link', { name: 'Benefits' }).focus();
  expect(await expanded(page)).toBe('false');
  await button(page).hover();
  await firstItem(page).click();
  await page.waitForURL('**/prompt-optimization');
  await page.mouse.move(640, 700);
  await hydrated(page);
  expect(await expanded(page)).toBe('false');
  await close();
});

test('opens and closes by tap', async () => {
  const { page, close } = await visit('/', { hasTouch: true });
  await hydrated(page);
  // Browsers convert taps to clicks with a delay.
  await button(page).tap();
  await expect.poll(() => expanded(page)).toBe('true');
  await button(page).tap();
  await expect.poll(() => expanded(page)).toBe('false');
  await close();
});

test('works by hover, keys and a press elsewhere without JavaScript, and says whether it is open', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false });
  expect(await firstItem(page).isVisible()).toBe(false);
  await button(page).hover();
  expect(await firstItem(page).isVisible()).toBe(true);
  await page.mouse.move(640, 700);
  await firstItem(page).waitFor({ state: 'hidden' });
  for (const end of [() => page.keyboard.press('Escape'), () => page.mouse.click(640, 700)]) {
    await button(page).focus();
    await page.keyboard.press('Enter');
    expect(await firstItem(page).isVisible()).toBe(true);
    expect(await isExpanded(page, 'Features')).toBe(true);
    await end();
    await firstItem(page).waitFor({ state: 'hidden' });
    expect(await isExpanded(page, 'Features')).toBe(false);
  }
  await close();
});
