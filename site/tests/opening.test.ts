// Tests pages at unusual URLs, and with unusual fragments.
import { expect, test } from 'vitest';
import { firstVisit, hydrated, origin, visit } from './browser.ts';

test('every spelling of a page that hosts serve is hydrated as that page', async () => {
  const { page, said, close } = await visit('/terms');
  for (const spelling of ['/index.html', '/smart-caching/', '/smart-caching/index.html', '/smart-caching/?from=mail']) {
    await page.goto(origin() + spelling);
    // The first frame lays out only the start of the page.
    await page.locator('html:not([data-frame])').waitFor();
    const before = await page.locator('body').innerText();
    await hydrated(page);
    await page.mouse.move(640, 790);
    await expect.poll(() => page.locator('body').innerText()).toBe(before);
    expect(said, spelling).toEqual([]);
  }
  await close();
});

test('a page served below a path that the site does not know is hydrated as itself', async () => {
  const { page, said, close } = await firstVisit('/preview/smart-caching', {}, async (opened) => {
    await opened.route('**/preview/smart-caching', async (route) => route.fulfill({ response: await route.fetch({ url: `${origin()}/smart-caching` }) }));
  });
  await hydrated(page);
  await page.getByRole('button', { name: 'Strict' }).click();
  await expect.poll(() => page.locator('tfoot ins').last().textContent()).toBe('Now $0.15');
  expect(said).toEqual([]);
  await close();
});

test('a fragment that names nothing, however it is written, leaves the page as it is', async () => {
  const { page, said, close } = await visit('/#100%');
  await hydrated(page);
  await page.locator('header').getByRole('link', { name: 'Benefits' }).click();
  await page.waitForURL('**/#benefits');
  await page.goBack();
  await page.waitForURL('**/#100%');
  expect(await page.locator('h1').isVisible()).toBe(true);
  expect(said).toEqual([]);
  await close();
});
