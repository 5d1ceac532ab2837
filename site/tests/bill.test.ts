// Tests the bill: links of its lines, transitions between pages, and the animation of the pen.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { features, pathOf } from '#content/features.ts';
import { firstVisit, hydrated, visit } from './browser.ts';

const paths = features.map(pathOf);
const leadsTo = (page: Page) => page.locator('[data-bill] a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));

/** Records the elements of each transition to a page, for all pages of the tab. */
async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.addEventListener('pagereveal', ({ viewTransition }) => {
      viewTransition?.ready.then(
        () => {
          const names = document.getAnimations().map(({ effect }) => /^::view-transition-(?:group|old|new)\((.+)\)$/.exec((effect as KeyframeEffect).pseudoElement ?? '')?.[1] ?? '');
          const own = [...new Set(names)].filter((name) => name !== '' && name !== 'root').toSorted();
          sessionStorage.setItem('carried', JSON.stringify([...JSON.parse(sessionStorage.getItem('carried') ?? '[]'), own]));
        },
        () => undefined,
      );
    });
  });
}

const carried = (page: Page) => page.evaluate(() => JSON.parse(sessionStorage.getItem('carried') ?? '[]') as string[][]);

const names = ['bill', 'line-1', 'line-2', 'line-3', 'line-4', 'sum'];

test('each line leads to the page of what strikes it', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false });
  expect(await leadsTo(page)).toEqual(paths);
  for (const path of paths) {
    await page.goto(new URL(path, page.url()).href);
    expect(await leadsTo(page)).toEqual(paths.filter((other) => other !== path));
  }
  await close();
});

test('the bill and its lines are carried to the next page, and back', async () => {
  const { page, said, close } = await firstVisit('/', {}, listen);
  await hydrated(page);
  await page.locator('[data-bill] a').nth(1).click();
  await page.locator('[data-part="faq"]').waitFor();
  await expect.poll(() => carried(page)).toEqual([names]);
  await page.goBack();
  await page.locator('#features').waitFor();
  await expect.poll(() => carried(page)).toEqual([names, names]);
  expect(said).toEqual([]);
  await close();
});

test('a card whose bill is out of sight becomes the bill of its page, and the card again', async () => {
  const { page, said, close } = await firstVisit('/', {}, listen);
  await hydrated(page);
  await page.locator('a[data-feature="model-routing"]').scrollIntoViewIfNeeded();
  const left = await page.evaluate(() => window.scrollY);
  await page.locator('a[data-feature="model-routing"]').click();
  await page.locator('[data-part="faq"]').waitFor();
  await expect.poll(() => carried(page)).toEqual([names]);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await page.locator('#features').waitFor();
  await expect.poll(() => carried(page)).toEqual([names, names]);
  expect(await page.evaluate(() => window.scrollY)).toBe(left);
  expect(said).toEqual([]);
  await close();
});

/** Serves the site, but sends the feature pages in two parts: the second, from a line of the bill on, 300 ms after the first. */
async function slowly(): Promise<{ readonly origin: string; readonly close: () => void }> {
  const server = createServer(async ({ url = '/' }, response) => {
    const answer = await fetch(inject('origin') + url);
    const bytes = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    const second = paths.includes(url) ? bytes.indexOf('<li', bytes.indexOf('<figure')) : 0;
    response.write(bytes.subarray(0, second));
    setTimeout(() => response.end(bytes.subarray(second)), second === 0 ? 0 : 300);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}

test('a page that arrives in parts is first shown with its whole bill', async () => {
  const { origin, close: stop } = await slowly();
  const { page, close } = await firstVisit('/', {}, listen);
  await page.goto(origin);
  await page.locator('[data-bill] a').nth(1).click();
  await page.locator('[data-part="faq"]').waitFor();
  await expect.poll(() => carried(page)).toEqual([names]);
  await close();
  stop();
});

test('where less motion is wanted nothing is carried and nothing moves', async () => {
  const { page, close } = await firstVisit('/', { reducedMotion: 'reduce' }, listen);
  await hydrated(page);
  await page.locator('[data-bill] a').first().click();
  await page.locator('[data-part="faq"]').waitFor();
  expect(await carried(page)).toEqual([]);
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  await close();
});

test('the pen moves only what costs little to move, the old total stays, and the new one comes last, within 1.2 s', async () => {
  for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 659 }]) {
    const { page, close } = await visit('/', { viewport });
    const part = viewport.width < 768 ? '[data-slip] summary' : '[data-bill]';
    const seen = await page.evaluate((name) => {
      // Animations that follow the scroll position have no end. Transitions are of buttons that the mouse of an earlier test left.
      const timed = document.getAnimations().filter((animation) => animation.timeline === document.timeline && animation instanceof CSSAnimation);
      const frames = timed.flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes().flatMap((frame) => Object.keys(frame)));
      const total = [...document.querySelectorAll(`${name} del + span ins`)].at(-1);
      const opacities = (time: number) => {
        for (const animation of timed) {
          animation.pause();
          animation.currentTime = time;
        }
        return [...document.querySelectorAll(`${name} ins`)].filter((amount) => amount !== total).map((amount) => Number(getComputedStyle(amount).opacity));
      };
      const totalAt = (time: number) => [opacities(time), Number(getComputedStyle(total ?? document.body).opacity)] as const;
      const end = Math.max(...timed.map(({ effect }) => Number(effect?.getComputedTiming().endTime)));
      const old = total?.closest('p, summary')?.querySelector('del');
      const times = Array.from({ length: 25 }, (_, index) => index * 50);
      return { frames, end, first: totalAt(0), steps: times.map(totalAt), last: totalAt(end), old: getComputedStyle(old ?? document.body).opacity };
    }, part);
    const described = new Set(['offset', 'computedOffset', 'easing', 'composite']);
    expect([...new Set(seen.frames)].filter((name) => !described.has(name)).toSorted()).toEqual(['opacity', 'transform']);
    expect(seen.end).toBeLessThanOrEqual(1200);
    expect(seen.old).toBe('1');
    expect([...seen.first[0], seen.first[1]].every((opacity) => opacity === 0)).toBe(true);
    expect([...seen.last[0], seen.last[1]].every((opacity) => opacity === 1)).toBe(true);
    // While the total can be seen, all other amounts can.
    for (const [others, total] of seen.steps) if (total > 0.5) expect(Math.min(1, ...others)).toBeGreaterThan(0.5);
    await close();
  }
});

/** Returns the relative luminance of a color, as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((value) => {
    const part = Number(value) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colors. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test('the saved part of a bar can be seen, in both themes', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [path, drawing, paper] of [['/', '[data-bill] svg:first-child rect', '[data-bill] > div'], ['/usage-analytics', 'g rect:first-child', '[data-part="example"] figure']] as const) {
      const { page, close } = await visit(path, { colorScheme, reducedMotion: 'reduce' });
      const stroke = await page.locator(drawing).first().evaluate((rect) => getComputedStyle(rect).stroke);
      const ground = await page.locator(paper).first().evaluate((sheet) => {
        const own = getComputedStyle(sheet).backgroundColor;
        return own === 'rgba(0, 0, 0, 0)' ? getComputedStyle(sheet, '::before').backgroundColor : own;
      });
      expect(contrast(stroke, ground), `${path}, ${colorScheme}`).toBeGreaterThanOrEqual(3);
      await close();
    }
  }
});

test('lines of the bill that are links look like links', async () => {
  const { page, close } = await visit('/');
  const line = await page.locator('[data-bill] a').first().evaluate((link) => [getComputedStyle(link).textDecorationLine, getComputedStyle(link).textDecorationColor]);
  expect(line[0]).toBe('underline');
  expect(line[1]).not.toMatch(/, 0\)$/);
  await close();
});

test('a line further down is struck as it comes into view, and not before', async () => {
  const { page, close } = await visit('/smart-caching');
  const line = page.locator('[data-part="case-study"] del').first();
  const length = () => line.evaluate((struck) => new DOMMatrix(getComputedStyle(struck, '::after').transform).a);
  expect(await length()).toBe(0);
  await line.evaluate((struck) => struck.scrollIntoView({ block: 'center', behavior: 'instant' }));
  await expect.poll(length).toBe(1);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  expect(await length()).toBe(1);
  await close();
});
