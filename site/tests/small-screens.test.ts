// Tests small screens: line breaks of the title, the first screen, and the bar at the bottom.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { interactiveRoutes } from '#content/routes.ts';
import { hydrated, visit, withFonts } from './browser.ts';
import { atWidths } from './frames.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const bar = (page: Page) => page.locator('[data-demo-bar]').getByRole('link', { name: 'Book a Demo Call' });

test('each line of the title stays on one line', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false });
  await withFonts(page);
  for (const width of [320, 360, 390, 430, 600, 768, 820, 1023, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 844 });
    const lines = await page.locator('h1 > span').evaluateAll((spans) => spans.map((span) => span.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(span).lineHeight)));
    expect(lines.map(Math.round), `${width}`).toEqual([1, 1]);
  }
  await close();
});

for (const [width, height] of [[390, 659], [375, 548], [1280, 620]] as const) {
  test(`the first screen at ${width} by ${height} px has the headline, the total and the demo button`, async () => {
    for (const reducedMotion of ['reduce', 'no-preference'] as const) {
      const { page, close } = await visit('/', { viewport: { width, height }, javaScriptEnabled: false, reducedMotion });
      const opening = page.locator('[data-opening]');
      const total = width < 768 ? opening.locator('[data-slip] summary ins') : opening.locator('[data-bill] p ins');
      for (const part of [opening.locator('h1'), total, opening.locator('[data-demo]').first()]) {
        const box = await part.boundingBox();
        expect(box?.y, `${part}`).toBeGreaterThan(0);
        expect((box?.y ?? Infinity) + (box?.height ?? 0), `${part}`).toBeLessThanOrEqual(height);
        await expect.poll(() => part.evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
      }
      expect(await total.textContent()).toMatch(/\$5,040/);
      await close();
    }
  });
}

test('the first screen of a phone has the title of a feature page, what its line saves, and the demo button', async () => {
  const { page, close } = await visit('/', { viewport: { width: 375, height: 548 }, javaScriptEnabled: false, reducedMotion: 'reduce' });
  for (const { path } of interactiveRoutes.filter((route) => route.path !== '/')) {
    await page.goto(new URL(path, page.url()).href);
    const opening = page.locator('[data-opening]');
    expect(await opening.locator('[data-slip] strong').textContent()).toMatch(/^−\$[\d,]+$/);
    for (const part of [opening.locator('h1'), opening.locator('[data-slip] strong'), opening.locator('[data-demo]').first()]) {
      const box = await part.boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0), `${path} ${part}`).toBeLessThanOrEqual(548);
    }
  }
  await close();
});

test('the bill in one line is for phones only: wide screens have the whole bill', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false, reducedMotion: 'reduce' });
  for (const { path } of interactiveRoutes) {
    await page.goto(new URL(path, page.url()).href);
    for (const [width, isPhone] of [[390, true], [768, false], [1440, false]] as const) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.locator('[data-opening] [data-slip]').isVisible(), `${path} at ${width}`).toBe(isPhone);
    }
  }
  await close();
});

test('the buttons of the own bill are even on a phone: amounts in rows of three, habits of one width', async () => {
  const { page, close } = await visit('/', { ...phone, reducedMotion: 'reduce' });
  await withFonts(page);
  for (const width of [360, 390, 430]) {
    await page.setViewportSize({ width, height: 800 });
    const places = (selector: string, side: 'top' | 'width') => page.locator(selector).evaluateAll((all, edge) => all.map((element) => Math.round(element.getBoundingClientRect()[edge])), side);
    const rows = await places('#bill [role=group]:first-child button', 'top');
    expect(rows.map((row) => rows.indexOf(row)), `${width}`).toEqual([0, 0, 0, 3, 3, 3]);
    expect(new Set(await places('#bill ul[aria-labelledby] button', 'width')).size, `${width}`).toBe(1);
  }
  await close();
});

test('the figures are on the first screen of a phone, and the receipt of a wide one is at most 620 px high', async () => {
  const { page, close } = await visit('/', { ...phone, javaScriptEnabled: false, reducedMotion: 'reduce' });
  const box = await page.locator('main dl dd').first().boundingBox();
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(700);
  for (const width of [768, 1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.locator('[data-opening] [data-bill]').evaluate((bill: HTMLElement) => bill.offsetHeight), `${width}`).toBeLessThanOrEqual(620);
  }
  await close();
});

test('each figure of the hero stays on one line', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false });
  for (const width of [320, 360, 390, 768, 808, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    const lines = await page.locator('main dl dd a').evaluateAll((links) => links.map((link) => new Set([...link.getClientRects()].map(({ top }) => Math.round(top))).size));
    expect(lines, `${width}`).toEqual([1, 1, 1]);
  }
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

test('the bar waits for the button of the hero to go, covers nothing that has focus, and leaves with the closing call', async () => {
  const { page, close } = await visit('/', { ...phone, reducedMotion: 'reduce' });
  await hydrated(page);
  expect(await bar(page).isVisible()).toBe(false);
  await page.evaluate(() => window.scrollTo({ top: 2000, behavior: 'instant' }));
  await expect.poll(() => bar(page).isVisible()).toBe(true);
  for (const link of await page.locator('main a:not([data-demo-bar] a)').all()) {
    const under = await link.evaluate((element: HTMLElement) => {
      // Links that are folded away take no focus.
      if (!element.checkVisibility()) return false;
      element.focus();
      const strip = document.querySelector('[data-demo-bar]');
      return strip?.contains(element) === false && strip.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().bottom > strip.getBoundingClientRect().top;
    });
    expect(under, (await link.textContent()) ?? '').toBe(false);
  }
  const closing = page.locator('[data-closing] [data-demo]');
  await closing.evaluate((button) => button.scrollIntoView({ block: 'end', behavior: 'instant' }));
  await expect.poll(() => bar(page).isVisible()).toBe(false);
  await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
  await expect.poll(() => bar(page).isVisible()).toBe(false);
  await close();
});

test('the menu of the bar opens the menu, and gives focus back', async () => {
  const { page, close } = await visit('/smart-caching', { ...phone, reducedMotion: 'reduce' });
  await hydrated(page);
  await page.evaluate(() => window.scrollTo({ top: 2000, behavior: 'instant' }));
  const button = page.locator('[data-demo-bar] button');
  await button.tap();
  await page.locator('[data-phone-menu]').getByRole('link', { name: 'Model routing' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await page.evaluate(() => window.scrollY)).toBe(2000);
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

test('the text of the opening is three lines of at least 16 px on phones', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false });
  await withFonts(page);
  for (const width of [375, 390, 412]) {
    await page.setViewportSize({ width, height: 659 });
    const [lines, size] = await page.locator('[data-opening] p', { hasText: 'sits between' }).evaluate((text) => {
      const { lineHeight, fontSize } = getComputedStyle(text);
      return [Math.round(text.getBoundingClientRect().height / Number.parseFloat(lineHeight)), Number.parseFloat(fontSize)] as const;
    });
    expect(lines, `${width}`).toBe(3);
    expect(size).toBeGreaterThanOrEqual(16);
  }
  await close();
});

test('the title is the largest text of its page', async () => {
  const widths = [320, 390, 600, 767, 768, 834, 896, 1024, 1440];
  const { page, close } = await visit('/', { viewport: { width: 1280, height: 900 }, javaScriptEnabled: false, bypassCSP: true });
  for (const { path } of interactiveRoutes) {
    await page.goto(new URL(path, page.url()).href);
    const sizes = await atWidths(page, widths, (view) => [...view.document.querySelectorAll('h1, h2, h3')].map((head) => Number.parseFloat(view.getComputedStyle(head).fontSize)));
    for (const [index, width] of widths.entries()) expect(sizes[index]?.[0], `${path} ${width}`).toBe(Math.max(...(sizes[index] ?? [])));
  }
  await close();
});

test('without JavaScript the demo button fills the bar', async () => {
  const { page, close } = await visit('/', { ...phone, javaScriptEnabled: false, reducedMotion: 'reduce' });
  await page.evaluate(() => window.scrollTo({ top: 1500, behavior: 'instant' }));
  const [whole, button] = [await page.locator('[data-demo-bar]').boundingBox(), await bar(page).boundingBox()];
  expect((whole?.width ?? 0) - (button?.width ?? 0)).toBeLessThan(50);
  await close();
});

test('the amount of a feature card is at the right of its line, and the titles of a row are level', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false, reducedMotion: 'reduce' });
  for (const width of [320, 390, 768, 834, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const cards = await page.locator('[data-card]').evaluateAll((all) =>
      all.map((card) => {
        const [label, amount, title] = ['p span', 'p strong', 'h3'].map((part) => card.querySelector(part)?.getBoundingClientRect() ?? new DOMRect());
        const { top, left } = card.getBoundingClientRect();
        return { apart: (amount?.left ?? 0) - (label?.right ?? 0), drop: (amount?.top ?? 0) - (label?.top ?? 0), title: (title?.top ?? 0) - top, left };
      }),
    );
    for (const { apart, drop } of cards) expect([apart > 0, Math.abs(drop) < 4], `${width}`).toEqual([true, true]);
    for (const at of width < 768 ? [] : [0, 2]) expect(cards[at]?.title, `${width}`).toBeCloseTo(cards[at + 1]?.title ?? 0, 0);
  }
  await close();
});

test('the home page is at most ten screens of a phone', async () => {
  const { page, close } = await visit('/', { ...phone, reducedMotion: 'reduce' });
  await withFonts(page);
  expect(await page.evaluate(() => document.documentElement.scrollHeight / window.innerHeight)).toBeLessThanOrEqual(10);
  await close();
});

test('on wide screens nothing is empty beside the buttons of the own bill, or under the slip of a request', async () => {
  const { page, close } = await visit('/', { reducedMotion: 'reduce' });
  await withFonts(page);
  for (const width of [1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const bottom = (selector: string) => page.locator(selector).evaluateAll((all) => Math.max(...all.map((element) => element.getBoundingClientRect().bottom)));
    const [buttons, bill] = [await bottom('#bill ul[aria-labelledby] button'), await bottom('#bill figure')];
    expect(Math.abs(buttons - bill), `${width}`).toBeLessThan(90);
    const [requests, slip] = [await bottom('details[name=request] > summary'), await bottom('details[name=request][open] > div > div')];
    expect(Math.abs(requests - slip), `${width}`).toBeLessThan(40);
  }
  await close();
});
