// Tests user settings and content changes: large text, forced colors, slow networks, long names, an additional quote.
import { chromium, type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { routes } from '#content/routes.ts';
import { chromiumArguments, executablePath } from '../../scripts/chromium.mjs';
import { firstVisit, origin, visit } from './browser.ts';
import { atWidths } from './frames.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const paths = [...routes.map(({ path }) => path), '/unknown'];

/** Elements that may be past the right edge: those for screen readers only, and cards in a row to swipe. */
const mayLeave = '.visually-hidden, [popover]:not(:popover-open), [data-card]:nth-child(n + 2)';

/** Returns the elements past the right edge. */
const overflowing = (page: Page) =>
  page.evaluate(
    (exempt) =>
      [...document.querySelectorAll('body *')]
        .filter((element) => element.closest(exempt) === null && element.getBoundingClientRect().right > window.innerWidth + 1)
        .map((element) => `${element.tagName} ${(element.textContent ?? '').slice(0, 40)}`),
    mayLeave,
  );

/** Returns the elements past the right edge as {@link overflowing} does, and those with cut-off content. */
const lost = (view: Window & typeof globalThis) => {
  const all = [...view.document.querySelectorAll('body *')];
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- all of this runs in the browser
  const described = (elements: Element[]) => elements.map((element) => `${element.tagName} ${(element.textContent ?? '').slice(0, 40)}`);
  return {
    width: view.innerWidth,
    overflowing: described(all.filter((element) => element.closest('.visually-hidden, [popover]:not(:popover-open), [data-card]:nth-child(n + 2)') === null && element.getBoundingClientRect().right > view.innerWidth + 1)),
    cutOff: described(
      all
        .filter((element) => element.closest('.visually-hidden, svg, [popover]') === null && /hidden|clip/.test(view.getComputedStyle(element).overflow))
        .filter((element) => element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1),
    ),
  };
};

/** Returns words that break over two lines, except in code and addresses. */
const brokenWords = (page: Page) =>
  page.evaluate(() => {
    const broken: string[] = [];
    const range = document.createRange();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.parentElement?.checkVisibility() !== true || node.parentElement.closest('pre, .visually-hidden') !== null) continue;
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/(?<=^|[\s(“])\p{L}{2,}(?=[)”.,:;!?]*(?:\s|$))/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (range.getClientRects().length > 1) broken.push(word);
      }
    }
    return broken;
  });

/** Returns the cumulative layout shift. */
const shift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((done) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) sum += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => done(sum), 100);
      }),
  );

test('letters of twice the size stay on the page, on every page and in the menu', async () => {
  const browser = await chromium.launch({ executablePath: await executablePath(), args: [...chromiumArguments, '--blink-settings=defaultFontSize=32'] });
  const page = await browser.newPage(phone);
  for (const path of paths) {
    await page.goto(origin() + path);
    expect(await page.evaluate(() => Number.parseFloat(getComputedStyle(document.body).fontSize)), path).toBeGreaterThanOrEqual(32);
    expect(await overflowing(page), path).toEqual([]);
    expect(await brokenWords(page), path).toEqual([]);
  }
  await page.goto(origin());
  await page.locator('header').getByRole('button', { name: 'Menu' }).tap();
  expect(await overflowing(page), 'menu').toEqual([]);
  await browser.close();
});

test('letters, words and lines set as wide as readers may set them lose nothing', async () => {
  const { page, close } = await visit('/', { bypassCSP: true, reducedMotion: 'reduce' });
  for (const path of paths) {
    await page.goto(origin() + path);
    // WCAG 2.2, 1.4.12.
    await page.addStyleTag({ content: '* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important } p { margin-bottom: 2em !important }' });
    const widths = [320, 390, 768, 960, 1280];
    expect(await atWidths(page, widths, lost), path).toEqual(widths.map((width) => ({ width, overflowing: [], cutOff: [] })));
  }
  await close();
});

test('where colours are forced, and on paper, struck amounts have a line through them', async () => {
  const { page, close } = await visit('/');
  for (const media of [{ forcedColors: 'active' }, { forcedColors: null, media: 'print' }] as const) {
    await page.emulateMedia(media);
    expect(await page.locator('del').first().evaluate((element) => getComputedStyle(element).textDecorationLine)).toBe('line-through');
  }
  await close();
});

for (const path of ['/', '/smart-caching', '/terms', '/unknown']) {
  test(`fonts that come late move nothing on ${path}`, async () => {
    const { page, close } = await firstVisit(path, { reducedMotion: 'reduce' }, async (opened) => {
      await opened.route('**/*.woff2', async (route) => {
        // Later than any window in which a browser waits for a font.
        await new Promise((done) => setTimeout(done, 1500));
        await route.continue();
      });
    });
    await page.waitForLoadState('networkidle');
    expect(await shift(page)).toBe(0);
    await close();
  });
}

/** Returns the characters of a page in each font family. */
const lettersOf = (page: Page) =>
  page.evaluate(() => {
    const letters: Record<string, string> = {};
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const family = node.parentElement?.checkVisibility() === true ? getComputedStyle(node.parentElement).fontFamily : '';
      if (family !== '') letters[family] = [...new Set((letters[family] ?? '') + (node.textContent ?? ''))].join('');
    }
    return Object.entries(letters);
  });

test('every letter of every page comes from the fonts of the site', async () => {
  const families = new Map<string, Set<string>>();
  const { page, close } = await visit('/terms');
  for (const path of paths) {
    await page.goto(origin() + path);
    for (const [family, letters] of await lettersOf(page)) families.set(family, new Set([...(families.get(family) ?? []), ...letters]));
  }
  // The serif, its text cut on legal pages, and the monospace font.
  expect(families.size).toBe(3);
  await page.goto(`${origin()}/terms`);
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  for (const [family, letters] of families) {
    await page.reload();
    const text = [...letters].filter((letter) => letter.trim() !== '');
    await page.evaluate(
      async ([name, all]) => {
        // Waits for the fonts of the style sheet. Pages use them only if they are loaded in time.
        const rules = [...document.styleSheets].flatMap((sheet) => Array.from(sheet.cssRules)).filter((rule) => rule instanceof CSSFontFaceRule);
        for (const { style } of rules) {
          const src = style.getPropertyValue('src');
          if (!name.startsWith(style.getPropertyValue('font-family')) || !src.startsWith('url(')) continue;
          const range = style.getPropertyValue('unicode-range');
          document.fonts.add(await new FontFace('Under Test', src, range === '' ? {} : { unicodeRange: range }).load());
        }
        const lines = all.map((letter) => Object.assign(document.createElement('p'), { className: 'letter', textContent: letter }));
        for (const line of lines) line.style.fontFamily = 'Under Test';
        document.body.replaceChildren(...lines);
      },
      [family, text] as const,
    );
    const { root } = await session.send('DOM.getDocument', { depth: -1 });
    const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: '.letter' });
    const drawn = await Promise.all(nodeIds.map((nodeId) => session.send('CSS.getPlatformFontsForNode', { nodeId })));
    expect(text.filter((_, index) => drawn[index]?.fonts.some(({ isCustomFont }) => !isCustomFont) !== false), family).toEqual([]);
  }
  await close();
});

test('a name of 60 letters in one word breaks', async () => {
  for (const width of [320, 1280]) {
    const { page, close } = await visit('/', { viewport: { width, height: 800 }, javaScriptEnabled: false });
    for (const path of ['/', '/smart-caching', '/terms', '/unknown']) {
      await page.goto(origin() + path);
      await page.locator('header a > svg + span, footer a > svg + span').evaluateAll((names) => {
        for (const name of names) name.textContent = 'W'.repeat(60);
      });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBe(width);
    }
    await close();
  }
});

test('a name of 60 letters and a fourth quote keep their places', async () => {
  for (const width of [390, 1280]) {
    const { page, close } = await visit('/', { viewport: { width, height: 800 }, javaScriptEnabled: false });
    await page.evaluate(() => {
      for (const name of document.querySelectorAll('header a span')) name.textContent = 'The Extraordinarily Long Name of Some Company Somewhere Limited';
      const quotes = document.querySelector('#testimonials ul');
      quotes?.append(quotes.firstElementChild?.cloneNode(true) ?? '');
    });
    expect(await overflowing(page)).toEqual([]);
    const header = await page.locator('header').first().boundingBox();
    expect(header?.height).toBeLessThan(140);
    const tops = await page.locator('#testimonials li').evaluateAll((items) => items.map((item) => item.getBoundingClientRect().top));
    if (width === 1280) expect(new Set(tops).size).toBe(2);
    await close();
  }
});

test('the bars of the bill have one scale, and each amount stands on one line', async () => {
  const { page, close } = await visit('/', { reducedMotion: 'reduce' });
  for (const width of [320, 390, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const bars = await page.locator('[data-bill] li svg:first-child').evaluateAll((drawings) => drawings.map((drawing) => (drawing as SVGElement & { clientWidth: number }).clientWidth));
    expect(bars.length).toBe(4);
    expect(new Set(bars).size, `${width}`).toBe(1);
    const broken = await page
      .locator('del, ins, .together')
      .evaluateAll((amounts) => amounts.filter((amount) => amount.checkVisibility() && amount.getClientRects().length > 1).map((amount) => amount.textContent));
    expect(broken, `${width}`).toEqual([]);
    const heads = await page.locator('#features li p:first-child').allTextContents();
    expect(heads, `${width}`).toEqual([
      'Wordy prompts −$910',
      'Repeated questions −$950',
      'Big models, small tasks −$1,200',
      'Spend nobody watched −$300',
    ]);
  }
  await close();
});

test('the first questions of buyers are open on wide screens and on paper, and unfold on phones', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false, reducedMotion: 'reduce' });
  const answer = page.locator('#benefits details td').first();
  const height = async () => (await answer.boundingBox())?.height ?? 0;
  expect(await height()).toBeGreaterThan(20);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await answer.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await height()).toBeGreaterThan(20);
  await page.emulateMedia({ media: null });
  await page.locator('#benefits summary').click();
  expect(await height()).toBeGreaterThan(20);
  await close();
});

test('with forced colors, the meanings of the dashboard and its models differ', async () => {
  const { page, close } = await visit('/usage-analytics');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    const drawn = (items: string, pseudo?: string) =>
      page.locator(items).evaluateAll((all, part) => all.map((item) => {
        const { borderLeftColor, borderLeftStyle, borderLeftWidth, borderRadius, color, stroke } = getComputedStyle(item, part);
        return [borderLeftColor, borderLeftStyle, borderLeftWidth, borderRadius, stroke, color].join(' ');
      }), pseudo);
    const board = '[data-part="example"] figure';
    expect(new Set(await drawn(`${board} > ul > li`, '::before')).size).toBe(3);
    expect(new Set(await drawn(`${board} ul:has(+ svg) > li`)).size).toBe(3);
    expect(new Set(await drawn(`${board} ul + svg circle + circle`)).size).toBe(3);
    // Nothing is drawn in the color of what is behind it.
    expect((await drawn(`${board} ul:has(+ svg) > li`)).every((item) => !item.startsWith(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(0, 0, 0)'))).toBe(true);
  }
  await close();
});

test('with forced colors, the selected tab of the dashboard differs from the others', async () => {
  const { page, close } = await visit('/usage-analytics');
  await page.emulateMedia({ forcedColors: 'active' });
  const colors = await page.locator('[role="tab"]').evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).backgroundColor));
  expect(colors[0]).not.toBe(colors[1]);
  expect(colors[1]).toBe(colors[2]);
  await close();
});
