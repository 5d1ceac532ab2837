// Tests the visitor's own bill: its buttons, its address, its limits, and the page without JavaScript.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { firstVisit, hydrated, origin, visit } from './browser.ts';

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
  expect(await own(page).locator('p[aria-live]').textContent()).toBe('Instead of $46,000, you would pay $27,600. In a year, you would keep $220,800.');
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

test('a press changes only the amounts that are new, and starts no other animation', async () => {
  const { page, close } = await visit('/', { reducedMotion: 'no-preference' });
  await hydrated(page);
  await press(page, '$50k');
  const figure = own(page).locator('figure');
  await figure.evaluate((paper) => {
    for (const part of paper.querySelectorAll('li, del, ins, svg')) part.setAttribute('data-same', '');
  });
  await press(page, habits[1] ?? '');
  // The line without a stroke, and the totals.
  expect(await figure.locator('li:not([data-same])').count()).toBe(0);
  expect(await figure.locator('li:has(del:not([data-same]))').count()).toBe(0);
  expect(await figure.locator('li del[data-same]').count()).toBe(3);
  expect(await figure.locator('p ins:not([data-same])').count()).toBe(1);
  await close();
});

test('the bill in Benefits is at rest until it is printed again', async () => {
  const { page, close } = await visit('/', { reducedMotion: 'no-preference' });
  await hydrated(page);
  const moving = () => own(page).locator('figure').evaluate((figure) => figure.getAnimations({ subtree: true }).length);
  expect(await moving()).toBe(0);
  await press(page, '$5k');
  expect(await moving()).toBeGreaterThan(0);
  await close();
});

test('with motion, the bill of an address is complete at rest, and after each reprint', async () => {
  const { page, close } = await visit('/#bill=46000', { viewport: { width: 1280, height: 620 }, reducedMotion: 'no-preference' });
  await expect.poll(() => total(page)).toBe('Now $27,600');
  const faintest = () => own(page).locator('figure :is(p, ins)').evaluateAll((parts) => Math.min(...parts.map((part) => Number(getComputedStyle(part).opacity))));
  await expect.poll(faintest).toBe(1);
  await press(page, habits[3] ?? '');
  await expect.poll(faintest).toBe(1);
  expect(await own(page).locator('figure del').first().evaluate((struck) => new DOMMatrix(getComputedStyle(struck, '::after').transform).a)).toBe(1);
  await close();
});

test('without a habit nothing is struck, and the sentence says so', async () => {
  const { page, close } = await visit('/', { reducedMotion: 'reduce' });
  await hydrated(page);
  const period = own(page).locator('figure p').first();
  expect(await period.textContent()).toContain('One sample month');
  for (const habit of habits) await press(page, habit);
  expect(await period.textContent()).toContain('One month like yours');
  expect(await own(page).locator('figure :is(del, ins, p svg)').count()).toBe(0);
  expect(await own(page).locator('figure p').last().textContent()).toBe('Total $8,400');
  expect(await own(page).locator('p[aria-live]').textContent()).toBe('If none of these sounds like you, you would still pay $8,400: we would find nothing to strike.');
  await close();
});

test('at a limit, a step does nothing and says so', async () => {
  const { page, close } = await visit('/#bill=100', { reducedMotion: 'reduce' });
  const step = (name: string) => own(page).getByRole('button', { name, exact: true });
  await expect.poll(() => step('Less').getAttribute('aria-disabled')).toBe('true');
  expect(await step('More').getAttribute('aria-disabled')).toBe(null);
  await own(page).locator('figure').evaluate((figure) => figure.setAttribute('data-same', ''));
  await step('Less').click({ force: true });
  expect(new URL(page.url()).hash).toBe('#bill=100');
  expect(await own(page).locator('figure[data-same]').count()).toBe(1);
  await page.evaluate(() => {
    window.location.hash = '#bill=10000000';
  });
  await expect.poll(() => step('More').getAttribute('aria-disabled')).toBe('true');
  await close();
});

for (const [width, height] of [[1366, 768], [1440, 900]] as const) {
  test(`at ${width} by ${height} px one screen has the question, all buttons and the whole bill`, async () => {
    const { page, close } = await visit('/', { viewport: { width, height }, reducedMotion: 'reduce' });
    await hydrated(page);
    const below = (await page.locator('header').first().boundingBox())?.height ?? 0;
    const question = own(page).getByRole('heading');
    await question.evaluate((heading, top) => window.scrollBy({ top: heading.getBoundingClientRect().top - top, behavior: 'instant' }), below + 12);
    await press(page, habits[3] ?? '');
    for (const part of [question, own(page).locator('button[aria-pressed]').first(), own(page).getByRole('button', { name: habits[3] ?? '' }), own(page).locator('figure li').first(), own(page).locator('figure p').last()]) {
      const box = await part.boundingBox();
      expect(box?.y, `${part}`).toBeGreaterThan(below);
      expect((box?.y ?? Infinity) + (box?.height ?? 0), `${part}`).toBeLessThan(height);
    }
    await close();
  });
}

test('the links under the bill are apart, and each is on one line', async () => {
  const { page, close } = await visit('/', { viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
  const links = own(page).locator('p a[href*="#"]');
  expect(await links.evaluateAll((all) => all.map((link) => [...link.getClientRects()].length === 1 && link.getBoundingClientRect().height < 2 * Number.parseFloat(getComputedStyle(link).fontSize)))).toEqual([true, true]);
  expect(await links.first().evaluate((link) => link.nextSibling?.textContent?.trim())).toBe('·');
  await close();
});

test('going back keeps the bill and the position', async () => {
  const { page, said, close } = await visit('/', { reducedMotion: 'reduce' });
  await hydrated(page);
  await press(page, '$50k');
  const card = page.locator('a[data-feature="usage-analytics"]');
  await card.scrollIntoViewIfNeeded();
  const left = await page.evaluate(() => window.scrollY);
  await card.click();
  await page.locator('[data-part="faq"]').waitFor();
  await page.goBack();
  await expect.poll(() => total(page)).toBe('Now $30,000');
  expect(new URL(page.url()).hash).toBe('#bill=50000');
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(left);
  await page.goForward();
  await page.locator('[data-part="faq"]').waitFor();
  expect(said).toEqual([]);
  await close();
});

test('a reload at the top keeps the own bill and the position', async () => {
  const { page, said, close } = await visit('/', { reducedMotion: 'reduce' });
  await hydrated(page);
  await page.locator('[data-opening] [data-receipt]').getByRole('link', { name: '$50k' }).click();
  await page.reload();
  await expect.poll(() => total(page)).toBe('Now $30,000');
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
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

test('a phone shares the link', async () => {
  const { page, close } = await firstVisit('/', { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }, async (opened) => {
    await opened.addInitScript(() => Object.assign(navigator, { share: (data: object) => Object.assign(window, { shared: data }) && Promise.reject(new Error('closed')) }));
  });
  await hydrated(page);
  await press(page, '$5k');
  const button = own(page).getByRole('button', { name: 'Share the link to this bill' });
  await button.tap();
  const shared = await page.evaluate(() => (window as unknown as { shared: unknown }).shared);
  expect(shared).toEqual({ title: await page.title(), url: `${origin()}/#bill=5000` });
  expect(await button.isVisible()).toBe(true);
  await close();
});

test('the link can be copied', async () => {
  const { page, close } = await visit('/', { permissions: ['clipboard-read', 'clipboard-write'] });
  await hydrated(page);
  await press(page, '$5k');
  await press(page, 'Copy the link to this bill');
  const copied = own(page).getByRole('button', { name: 'Link copied' });
  await copied.waitFor();
  // A live region, which screen readers announce.
  expect(await copied.getAttribute('aria-live')).toBe('polite');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${origin()}/#bill=5000`);
  // The next copy has a result to show, too.
  await own(page).getByRole('button', { name: 'Copy the link to this bill' }).waitFor();
  await close();
});

test('a browser that refuses to copy says what to do instead, with the bill in the address', async () => {
  const { page, said, close } = await firstVisit('/', {}, async (opened) => {
    await opened.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('refused')) } }));
  });
  await hydrated(page);
  await press(page, 'Copy the link to this bill');
  await own(page).getByRole('button', { name: 'Copy the address of this page' }).waitFor();
  expect(new URL(page.url()).hash).toBe('#bill=8400');
  expect(said).toEqual([]);
  await close();
});

test('clicks before React is there count, each once', async () => {
  const held: (() => Promise<void>)[] = [];
  const { page, said, close } = await firstVisit('/', { reducedMotion: 'reduce' }, async (opened) => {
    await opened.route('**/*.js', (route) => {
      held.push(() => route.continue());
    });
  });
  await press(page, '$50k');
  await press(page, habits[1] ?? '');
  await press(page, habits[1] ?? '');
  await press(page, habits[2] ?? '');
  expect(await total(page)).toBe('Now $5,040');
  for (const load of held) await load();
  await page.unroute('**/*.js');
  await expect.poll(() => new URL(page.url()).hash).toBe('#bill=50000&without=model-routing');
  await press(page, '$1k');
  expect(new URL(page.url()).hash).toBe('#bill=1000&without=model-routing');
  expect(said).toEqual([]);
  await close();
});

test('on a phone the answer stays above the bar while buttons are pressed', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, close } = await visit('/', { viewport: { width: 390, height: 844 }, hasTouch: true, reducedMotion: 'reduce', colorScheme });
    await hydrated(page);
    const answer = own(page).locator('p[aria-live]');
    for (const [name, words] of [['$20k', 'you would pay $12,000'], ...habits.map((habit) => [habit, 'you would'])] as const) {
      const button = own(page).getByRole('button', { name, exact: true });
      await button.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
      await button.tap();
      await expect.poll(() => answer.textContent()).toContain(words);
      const [box, bar] = [await answer.boundingBox(), await page.locator('[data-demo-bar]').boundingBox()];
      expect(box?.y).toBeGreaterThan(0);
      const gap = (bar?.y ?? 0) - (box?.y ?? 0) - (box?.height ?? 0);
      expect([gap > -2, gap < 4], `${name}: ${gap}`).toEqual([true, true]);
    }
    await close();
  }
});

test('without JavaScript it is the sample bill, without buttons', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false });
  expect(await total(page)).toBe('Now $5,040');
  expect(await own(page).getByRole('button').filter({ visible: true }).count()).toBe(0);
  expect(await own(page).getByRole('link', { name: 'What our figures mean' }).getAttribute('href')).toBe('/terms#marketing-figures');
  await close();
});
