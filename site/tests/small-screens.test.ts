// Tests small screens: line breaks of the title, a figure on the first screen, and the demo bar.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { interactiveRoutes } from '#content/routes.ts';
import { hydrated, visit } from './browser.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const bar = (page: Page) => page.locator('[data-demo-bar]').getByRole('link', { name: 'Book a Demo Call' });

test('each line of the title stays on one line', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false });
  // Loads the page again with cached fonts, which pages use only if they are loaded in time.
  await page.reload();
  for (const width of [320, 360, 390, 430, 600, 768, 820, 1023, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 844 });
    const lines = await page.locator('h1 > span').evaluateAll((spans) => spans.map((span) => span.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(span).lineHeight)));
    expect(lines.map(Math.round), `${width}`).toEqual([1, 1]);
  }
  await close();
});

test('the first screen of a phone has a figure on it', async () => {
  const { page, close } = await visit('/', { ...phone, javaScriptEnabled: false });
  const box = await page.locator('main dl dd').first().boundingBox();
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(700);
  await close();
});

const seesButton = (page: Page) =>
  page.locator('[data-demo]').evaluateAll((links) =>
    links.some((link) => {
      const { top, bottom } = link.getBoundingClientRect();
      return link.checkVisibility({ visibilityProperty: true }) && top >= 0 && bottom <= window.innerHeight;
    }),
  );

for (const { path } of interactiveRoutes) {
  test(`the demo button is on every screen of ${path}, with JavaScript and without`, async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, close } = await visit(path, { ...phone, javaScriptEnabled });
      const end = await page.evaluate(() => document.documentElement.scrollHeight);
      for (const top of [0, 300, 400, 450, 500, 600, 800, end / 2, end - 1400, end]) {
        await page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), top);
        await expect.poll(() => seesButton(page), { message: `${top} ${javaScriptEnabled}` }).toBe(true);
      }
      await close();
    }
  });
}

test('the bar waits for the button of the hero to go, and covers nothing that has focus, nor the footer', async () => {
  const { page, close } = await visit('/', { ...phone, reducedMotion: 'reduce' });
  await hydrated(page);
  expect(await bar(page).isVisible()).toBe(false);
  await page.evaluate(() => window.scrollTo({ top: 2000, behavior: 'instant' }));
  await expect.poll(() => bar(page).isVisible()).toBe(true);
  for (const link of await page.locator('main a').all()) {
    const under = await link.evaluate((element: HTMLElement) => {
      element.focus();
      const strip = document.querySelector('[data-demo-bar]');
      return strip?.contains(element) === false && strip.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().bottom > strip.getBoundingClientRect().top;
    });
    expect(under, (await link.textContent()) ?? '').toBe(false);
  }
  await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
  const gap = await page.evaluate(() => (document.querySelector('footer')?.getBoundingClientRect().top ?? 0) - (document.querySelector('[data-demo-bar]')?.getBoundingClientRect().bottom ?? 0));
  expect(Math.round(gap)).toBe(0);
  await close();
});

test('a tablet has the demo button in its header, and no bar', async () => {
  const { page, close } = await visit('/', { viewport: { width: 820, height: 1180 } });
  await page.evaluate(() => window.scrollTo({ top: 2000, behavior: 'instant' }));
  const button = page.locator('header').getByRole('link', { name: 'Book a Demo Call' }).first();
  expect((await button.boundingBox())?.y).toBeLessThan(60);
  expect(await bar(page).isVisible()).toBe(false);
  await close();
});
