// Tests the visitor's own bill: its buttons, its address, its limits, and the page without JavaScript.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hydrated, origin, visit } from './browser.ts';

const own = (page: Page) => page.locator('#bill');
const press = (page: Page, name: string | RegExp) => own(page).getByRole('button', { name, exact: true }).click();
const total = (page: Page) => own(page).locator('figure p ins').textContent();
const pressed = (page: Page) => own(page).locator('[aria-pressed="true"]').allTextContents();
const habits = ['Our prompts grew, and nobody cut them', 'Users ask us the same things all day', 'One big model does everything', 'No team knows what it spends'];

test('amounts, plus, minus and habits reprint the bill, and the address holds it', async () => {
  const { page, said, close } = await visit('/', { reducedMotion: 'reduce' });
  await hydrated(page);
  expect(await pressed(page)).toEqual(['$8.4k', ...habits]);
  expect(await total(page)).toBe('Now $5,040');
  await press(page, '$50k');
  await press(page, 'Less');
  await press(page, 'Less');
  await press(page, 'Less');
  await press(page, 'Less');
  expect(new URL(page.url()).hash).toBe('#bill=46000');
  expect(await own(page).locator('[aria-live]').textContent()).toBe('Instead of $46,000, you would pay $27,600. In a year, you keep $220,800.');
  await press(page, habits[1] ?? '');
  expect(new URL(page.url()).hash).toBe('#bill=46000&without=smart-caching');
  expect(await pressed(page)).toEqual(habits.filter((_, index) => index !== 1));
  expect(await own(page).locator('figure del').count()).toBe(4);
  await press(page, 'More');
  expect(new URL(page.url()).hash).toBe('#bill=47000&without=smart-caching');
  await page.reload();
  await expect.poll(() => pressed(page)).toEqual(habits.filter((_, index) => index !== 1));
  expect(said).toEqual([]);
  await close();
});

test('an address that was sent shows its bill, with nothing pressed and nothing sent', async () => {
  const asked: string[] = [];
  const { page, said, close } = await visit('/terms', { reducedMotion: 'reduce' }, async (opened) => {
    opened.on('request', (request) => asked.push(request.url()));
  });
  await page.goto(`${origin()}/#bill=100000`);
  await expect.poll(() => total(page)).toBe('Now $60,000');
  expect(await own(page).evaluate((element) => Math.round(element.getBoundingClientRect().top))).toBeLessThan(200);
  await page.evaluate(() => {
    window.location.hash = '#bill=5000';
  });
  await expect.poll(() => total(page)).toBe('Now $3,000');
  await press(page, '$1k');
  expect(asked.filter((url) => url.includes('bill='))).toEqual([]);
  expect(asked.every((url) => url.startsWith(origin()))).toBe(true);
  expect(said).toEqual([]);
  await close();
});

test('an address with nonsense shows the sample bill', async () => {
  const { page, said, close } = await visit('/#bill=<b>');
  await hydrated(page);
  expect(await total(page)).toBe('Now $5,040');
  expect(said).toEqual([]);
  await close();
});

test('the keyboard works every button, and focus stays', async () => {
  const { page, close } = await visit('/', { reducedMotion: 'reduce' });
  await hydrated(page);
  const button = own(page).getByRole('button', { name: '$20k' });
  await button.focus();
  await page.keyboard.press('Enter');
  expect(await total(page)).toBe('Now $12,000');
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect.poll(() => new URL(page.url()).hash).toBe('#bill=50000');
  await close();
});

test('the link can be copied', async () => {
  const { page, close } = await visit('/', { permissions: ['clipboard-read', 'clipboard-write'] });
  await hydrated(page);
  await press(page, '$5k');
  await press(page, 'Copy the link for your CFO');
  await own(page).getByRole('button', { name: 'Link copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${origin()}/#bill=5000`);
  await close();
});

test('without JavaScript it is the sample bill, without buttons', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false });
  expect(await total(page)).toBe('Now $5,040');
  expect(await own(page).getByRole('button').filter({ visible: true }).count()).toBe(0);
  expect(await own(page).getByRole('link', { name: 'What our figures mean' }).getAttribute('href')).toBe('/terms#marketing-figures');
  await close();
});
