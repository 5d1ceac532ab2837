// Tests the ways to the visitor's own bill: a sent address, and the amounts of the opening, which go on to the call.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { firstVisit, hydrated, origin, visit } from './browser.ts';

const own = (page: Page) => page.locator('#bill');
const press = (page: Page, name: string) => own(page).getByRole('button', { name, exact: true }).click();
const total = (page: Page) => own(page).locator('figure p ins').textContent();
const line = (page: Page) => own(page).getByRole('status');
const topOf = (page: Page) => own(page).locator('figure').evaluate((figure) => Math.round(figure.getBoundingClientRect().top));

test('an address that was sent shows its bill, with nothing pressed and nothing sent', async () => {
  const asked: string[] = [];
  const { page, said, close } = await firstVisit('/terms', { reducedMotion: 'reduce' }, async (opened) => {
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

test('a bill that was sent says so, also after a reload, until the visitor changes it', async () => {
  const { page, said, close } = await firstVisit('/#bill=46000', { reducedMotion: 'reduce' });
  await expect.poll(() => line(page).textContent()).toBe('Someone sent you this estimate. It uses sample rates.');
  expect(await page.title()).toMatch(/^An AI bill of \$46,000 becomes \$27,600 · /);
  await page.reload();
  await line(page).waitFor();
  await press(page, '$50k');
  await expect.poll(() => line(page).count()).toBe(0);
  expect(await page.title()).toMatch(/^An AI bill of \$50,000 becomes \$30,000 · /);
  await page.reload();
  await expect.poll(() => total(page)).toBe('Now $30,000');
  expect(await line(page).count()).toBe(0);
  expect(said).toEqual([]);
  await close();
});

for (const [width, height] of [[1280, 800], [390, 844]] as const) {
  test(`at ${width} px, a sent address opens at its bill, also in a tab with the home page open`, async () => {
    const { page, said, close } = await firstVisit('/#bill=46000', { viewport: { width, height }, reducedMotion: 'reduce' });
    await expect.poll(() => total(page)).toBe('Now $27,600');
    const from = await topOf(page);
    expect(from).toBeGreaterThan(0);
    expect(from).toBeLessThan(200);
    await page.goto(`${origin()}/#features`);
    await page.goto(`${origin()}/#bill=20k`);
    await expect.poll(() => total(page)).toBe('Now $12,000');
    await expect.poll(async () => Math.abs((await topOf(page)) - from)).toBeLessThan(30);
    await line(page).waitFor();
    expect(said).toEqual([]);
    await close();
  });
}

test('after another page, a sent address in the same tab still opens at its bill', async () => {
  const { page, said, close } = await firstVisit('/', { reducedMotion: 'reduce' });
  await hydrated(page);
  await page.locator('a[data-feature="usage-analytics"]').click();
  await page.locator('[data-part="faq"]').waitFor();
  await page.locator('header a[href="/"]').first().click();
  await page.locator('#features').waitFor();
  await page.evaluate(() => window.scrollTo({ top: 5000, behavior: 'instant' }));
  await page.goto(`${origin()}/#bill=46,000`);
  await expect.poll(() => total(page)).toBe('Now $27,600');
  await expect.poll(() => topOf(page)).toBeLessThan(200);
  expect(await topOf(page)).toBeGreaterThan(0);
  await page.locator('a[data-feature="usage-analytics"]').click();
  await page.locator('[data-part="faq"]').waitFor();
  expect(await page.title()).toContain('Usage analytics');
  await page.goBack();
  await expect.poll(() => page.title()).toContain('$46,000');
  expect(said).toEqual([]);
  await close();
});

test('an address whose amount is unclear shows the sample bill, and says so', async () => {
  for (const bill of ['<b>', '-8400', '1e99', '05000', '99', '99999999999999999999', '%00', '%3Cscript%3Ealert(1)%3C/script%3E', '8400.5', 'lots']) {
    const { page, said, close } = await visit(`/#bill=${bill}`);
    await expect.poll(() => line(page).textContent(), { message: bill }).toContain('We did not understand this link');
    expect(await total(page), bill).toBe('Now $5,040');
    await press(page, '$5k');
    await expect.poll(() => line(page).count()).toBe(0);
    expect(said).toEqual([]);
    await close();
  }
});

test('on the way back to the page without a bill, the sample bill and the title of the page are there again', async () => {
  const { page, said, close } = await firstVisit('/', { reducedMotion: 'reduce' });
  const title = await page.title();
  await page.locator('[data-opening]').getByRole('link', { name: '$50k' }).click();
  await expect.poll(() => total(page)).toBe('Now $30,000');
  await expect.poll(() => page.title()).toContain('$50,000');
  await page.goBack();
  expect(new URL(page.url()).hash).toBe('');
  await expect.poll(() => total(page)).toBe('Now $5,040');
  expect(await page.title()).toBe(title);
  await page.goForward();
  await expect.poll(() => total(page)).toBe('Now $30,000');
  expect(await line(page).count()).toBe(0);
  for (const unclear of ['abc', '20000&without=caching']) {
    await page.evaluate((bill) => {
      window.location.hash = `#bill=${bill}`;
    }, unclear);
    await line(page).waitFor();
    expect(await page.title(), unclear).toBe(title);
    expect(await total(page), unclear).toBe('Now $5,040');
  }
  expect(said).toEqual([]);
  await close();
});

for (const [width, height] of [[1280, 800], [390, 844], [375, 548]] as const) {
  test(`at ${width} by ${height} px, one tap prints the own bill in place, and one more books the call`, async () => {
    const { page, said, close } = await visit('/', { viewport: { width, height }, hasTouch: true, reducedMotion: 'reduce' });
    await hydrated(page);
    const opening = page.locator('[data-opening]');
    const amount = opening.getByRole('link', { name: '$50k' });
    expect(await amount.evaluate((link) => link.getBoundingClientRect().bottom <= window.innerHeight)).toBe(true);
    await amount.tap();
    await expect.poll(() => opening.locator(width < 768 ? '[data-slip] summary ins' : '[data-bill] p ins').textContent()).toBe('Now $30,000');
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    expect(new URL(page.url()).hash).toBe('#bill=50000');
    expect(await amount.getAttribute('aria-current')).toBe('true');
    const booked = page.waitForEvent('popup');
    const call = opening.locator('a[data-demo]');
    expect(await call.evaluate((link) => link.getBoundingClientRect().bottom <= window.innerHeight)).toBe(true);
    await call.tap();
    await (await booked).close();
    // The result in Benefits has the same bill, and its own call.
    const own50 = own(page).locator('a[data-demo]');
    expect(await own50.textContent()).toContain('Book a call about these $240,000');
    const again = page.waitForEvent('popup');
    await own50.tap();
    await (await again).close();
    expect(await own(page).textContent()).toContain('Before our fee, which you hear on the call.');
    expect(said).toEqual([]);
    await close();
  });
}

test('an amount of the opening that was pressed before React was there is the own bill, not a sent one', async () => {
  const held: (() => Promise<void>)[] = [];
  const { page, said, close } = await firstVisit('/', { reducedMotion: 'reduce' }, async (opened) => {
    await opened.route('**/*.js', (route) => {
      held.push(() => route.continue());
    });
  });
  await page.locator('[data-opening]').getByRole('link', { name: '$20k' }).click();
  // The link has jumped to the bill.
  await expect.poll(() => own(page).evaluate((element) => Math.abs(element.getBoundingClientRect().top))).toBeLessThan(200);
  await expect.poll(() => held.length).toBeGreaterThan(0);
  for (const load of held) await load();
  await page.unroute('**/*.js');
  await expect.poll(() => total(page)).toBe('Now $12,000');
  expect(await line(page).count()).toBe(0);
  expect(said).toEqual([]);
  await close();
});

test('without JavaScript, an amount jumps to the bill', async () => {
  const { page, said, close } = await visit('/', { javaScriptEnabled: false, reducedMotion: 'reduce' });
  await page.locator('[data-opening]').getByRole('link', { name: '$100k' }).click();
  await expect.poll(() => own(page).evaluate((element) => Math.abs(element.getBoundingClientRect().top))).toBeLessThan(200);
  expect(await own(page).locator('a[data-demo]').textContent()).toContain('Book a call about these $40,320');
  expect(said).toEqual([]);
  await close();
});
