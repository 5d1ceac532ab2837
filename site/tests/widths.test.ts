// Tests all widths from 280 to 1600 px: no word breaks, and nothing is wider than the page.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { routes } from '#content/routes.ts';
import { visit, withFonts } from './browser.ts';
import { atWidths } from './frames.ts';

interface Layout {
  readonly width: number;
  /** The height of the document, and the sum of the positions of all lines of text. */
  readonly height: number;
  readonly lines: number;
  readonly broken: readonly string[];
  readonly overflow: number;
}

/** Returns the layout of a window. A word is broken if it is on two lines. It ends at a space, a hyphen, a dash or a slash, after which
 * lines may break. */
function layout(view: Window & typeof globalThis): Layout {
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- all of this runs in the browser
  const onLines = (range: Range): number[] => [...range.getClientRects()].map(({ top }) => top);
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- all of this runs in the browser
  const severalLines = ([first = 0, ...rest]: number[]) => rest.some((top) => Math.abs(top - first) > 2);
  const root = view.document.documentElement;
  const range = view.document.createRange();
  const broken: string[] = [];
  let lines = 0;
  const walker = view.document.createTreeWalker(view.document.body, view.NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement?.checkVisibility() !== true || node.parentElement.closest('.visually-hidden, svg') !== null) continue;
    range.selectNodeContents(node);
    const tops = onLines(range);
    for (const top of tops) lines += top;
    // Most texts are on one line, on which no word breaks.
    if (!severalLines(tops)) continue;
    for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[^\s\-–—/]{2,}/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (severalLines(onLines(range))) broken.push(word);
    }
  }
  return { width: view.innerWidth, height: root.scrollHeight, lines, broken, overflow: root.scrollWidth - view.innerWidth };
}

/** Returns the layout of the page itself. */
const whole = (page: Page) => page.evaluate(`(${layout})(window)`) as Promise<Layout>;

const widths = Array.from({ length: 83 }, (_, index) => 280 + 16 * index);

for (const path of [...routes.map((route) => route.path), '/unknown']) {
  test(`${path} breaks no word from 280 to 1600 px`, async () => {
    const { page, close } = await visit(path, { viewport: { width: 1288, height: 900 }, javaScriptEnabled: false, reducedMotion: 'reduce', bypassCSP: true });
    await withFonts(page);
    const own = await whole(page);
    const seen = await atWidths(page, widths, layout);
    expect(seen.map(({ width }) => width)).toEqual(widths);
    expect(seen.find(({ width }) => width === own.width), 'a frame is laid out like the page').toEqual(own);
    expect(seen.flatMap(({ width, broken }) => broken.map((word) => `${word} at ${width} px`))).toEqual([]);
    expect(seen.filter(({ overflow }) => overflow > 0).map(({ width, overflow }) => `${overflow} px too wide at ${width} px`)).toEqual([]);
    await close();
  });
}

test('a broken word is noticed', async () => {
  const { page, close } = await visit('/', { viewport: { width: 400, height: 800 }, reducedMotion: 'reduce', bypassCSP: true });
  await page.locator('h1').evaluate((title) => {
    title.textContent = 'Antidisestablishmentarianism';
  });
  for (const { broken } of [await whole(page), ...(await atWidths(page, [400], layout))]) expect(broken).toEqual(['Antidisestablishmentarianism']);
  await close();
});
