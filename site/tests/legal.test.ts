// Tests the legal pages: collapsible contents that mark the current clause without JavaScript, and the print layout.
import { expect, test } from 'vitest';
import { settings } from '#content/settings.ts';
import { firstVisit, visit } from './browser.ts';

const still = { javaScriptEnabled: false, reducedMotion: 'reduce' } as const;

test('on a phone a bar with the contents stays at the top, and a choice closes them', async () => {
  const { page, close } = await visit('/terms', { ...still, viewport: { width: 390, height: 844 }, hasTouch: true });
  const entry = page.getByRole('link', { name: '4. Your account' });
  const bar = page.getByRole('link', { name: 'On this page' });
  await page.evaluate(() => window.scrollTo({ top: 6000, behavior: 'instant' }));
  await expect.poll(async () => (await bar.boundingBox())?.y).toBe(0);
  expect(await entry.isVisible()).toBe(false);
  // By position, because the tap of a locator may scroll.
  await page.touchscreen.tap(60, 25);
  await entry.waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(6000);
  await page.touchscreen.tap(60, 25);
  await entry.waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => window.scrollY)).toBe(6000);
  await page.touchscreen.tap(60, 25);
  await entry.tap();
  await page.waitForURL('**/terms#accounts');
  expect(await entry.isVisible()).toBe(false);
  const top = () => page.locator('#accounts h2').evaluate((heading) => heading.getBoundingClientRect().top);
  await expect.poll(top).toBeLessThan(200);
  expect(await top()).toBeGreaterThan(52);
  await close();
});

test('the contents open at the lower edge of the bar, at the top of the page and further down', async () => {
  for (const [path, width, height] of [['/terms', 390, 659], ['/privacy', 375, 548]] as const) {
    const { page, close } = await visit(path, { ...still, viewport: { width, height }, hasTouch: true });
    for (const top of [0, 40, 3000]) {
      await page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), top);
      const before = await page.locator('h1').boundingBox();
      const first = page.locator('nav[data-contents] a').first();
      const bar = await page.locator('p[data-contents]').boundingBox();
      // By position, because the click of a locator may scroll.
      const tap = () => page.touchscreen.tap(60, (bar?.y ?? 0) + 25);
      await tap();
      await first.waitFor();
      const panel = await page.locator('nav[data-contents] ol').boundingBox();
      // The line below the bar covers the edge of the panel.
      expect(Math.abs((bar?.y ?? 0) + (bar?.height ?? 0) - (panel?.y ?? 0)), `${path} ${top}`).toBeLessThan(2);
      expect((panel?.y ?? 0) + (panel?.height ?? Infinity), `${path} ${top}`).toBeLessThanOrEqual(height);
      expect(await first.evaluate((link) => {
        const { left, top: y, width: wide, height: high } = link.getBoundingClientRect();
        return link.contains(document.elementFromPoint(left + wide / 2, y + high / 2));
      }), `${path} ${top}`).toBe(true);
      expect(await page.locator('h1').boundingBox()).toEqual(before);
      await tap();
      await first.waitFor({ state: 'hidden' });
    }
    await close();
  }
});

for (const width of [768, 1280]) {
  test(`at ${width} px the contents lie open, and the keyboard reaches them`, async () => {
    const { page, close } = await visit('/privacy', { ...still, viewport: { width, height: 1000 } });
    expect(await page.getByRole('link', { name: 'On this page' }).isVisible()).toBe(false);
    expect(await page.locator('nav[aria-labelledby="contents-title"]').isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Back to Home' }).focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('1. Who we are and what this policy covers');
    await close();
  });
}

test('long entries hang from their numbers', async () => {
  const { page, close } = await visit('/privacy', { ...still, viewport: { width: 768, height: 1000 } });
  const edges = await page.locator('nav[aria-labelledby="contents-title"] a').evaluateAll((links) =>
    links.map((link) => {
      const [number, title] = [...link.children].map((part) => part.getBoundingClientRect());
      return (number?.right ?? 0) <= (title?.left ?? -1);
    }),
  );
  expect(edges.length).toBe(17);
  expect(new Set(edges)).toEqual(new Set([true]));
  await close();
});

test('the entry of the clause that is read is marked', async () => {
  const { page, close } = await visit('/terms', { ...still, viewport: { width: 1280, height: 900 } });
  const weights = () => page.locator('nav[aria-labelledby="contents-title"] a').evaluateAll((links) => links.filter((link) => getComputedStyle(link).fontWeight === '600').map((link) => link.textContent));
  for (const [anchor, entry] of [['refunds', '9. Fees and refunds'], ['liability', '12. Limit of liability']] as const) {
    await page.evaluate((id) => document.getElementById(id)?.scrollIntoView({ behavior: 'instant' }), anchor);
    await expect.poll(weights).toEqual([entry]);
  }
  await close();
});

test('printed, every page bears the title, a link tells its clause or its address, and nothing is there to be clicked', async () => {
  const { page, close } = await visit('/terms', still);
  await page.emulateMedia({ media: 'print' });
  const told = (name: string) => page.locator('main div a', { hasText: name }).first().evaluate((link) => getComputedStyle(link, '::after').content);
  expect(await told('Fees and refunds')).toBe('" (§ 9)"');
  expect(await told('Google sign-in data')).toBe(`" (${new URL(settings.origin).host}/privacy#google-sign-in)"`);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--title'))).toBe(`"${await page.title()}"`);
  for (const hidden of [page.locator('nav[aria-labelledby="contents-title"]'), page.getByRole('link', { name: 'Back to Home' }), page.locator('footer nav')]) expect(await hidden.isVisible()).toBe(false);
  await close();
});

test('each paragraph and item has a number, which is a link to it, and lines have 65 to 72 characters', async () => {
  const { page, close } = await visit('/terms#4.9', { ...still, viewport: { width: 1440, height: 900 } });
  expect(await page.locator('[id="4.9"]').evaluate((paragraph) => getComputedStyle(paragraph).backgroundColor)).not.toBe('rgba(0, 0, 0, 0)');
  const cited = await page.locator('[data-clause] :is(p, li)').evaluateAll((places) => places.map((place) => place.querySelector(':scope > .cite')?.getAttribute('href') === `#${place.id}`));
  expect(cited.length).toBeGreaterThan(150);
  expect(new Set(cited)).toEqual(new Set([true]));
  expect(await page.locator('[id="4.1"] > .cite').textContent()).toBe('4.1');
  expect(await page.locator('#accounts li > .cite').allTextContents()).toEqual(['(a)', '(b)', '(c)', '(d)', '(e)']);
  // Only full lines of long paragraphs count.
  const average = await page.locator('[data-clause] > div > p').evaluateAll((paragraphs) => {
    const lengths = paragraphs.flatMap((paragraph) => {
      const lines = Math.round(paragraph.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(paragraph).lineHeight));
      return lines < 4 ? [] : [((paragraph.textContent ?? '').length / (lines - 0.5))];
    });
    return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  });
  expect(average).toBeGreaterThanOrEqual(65);
  expect(average).toBeLessThanOrEqual(72);
  await close();
});

test('a large image, code and a table fit on a phone, and the cells of the table are apart', async () => {
  const { page, close } = await visit('/terms', { ...still, viewport: { width: 360, height: 800 }, bypassCSP: true });
  await page.locator('#website p').first().evaluate((paragraph) => {
    const row = ['First', 'Second', 'Third'].map((cell) => `<td>${cell} cell of a table</td>`).join('');
    paragraph.insertAdjacentHTML('afterend', `<img src="/share/terms.png" alt="" width="2000" height="1050"><pre><code>${'one long line of code '.repeat(9)}</code></pre><table><tr>${row}</tr></table><ol><li><ol><li>Nested</li></ol></li></ol>`);
  });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const image = await page.locator('#website img').boundingBox();
  expect((image?.width ?? 0) / (image?.height ?? 1)).toBeCloseTo(2000 / 1050, 1);
  expect(await page.locator('#website td').first().evaluate((cell) => [getComputedStyle(cell).paddingRight, getComputedStyle(cell).borderBottomStyle])).not.toContain('0px');
  expect(await page.locator('#website li li').evaluate((item) => item.getBoundingClientRect().left - (item.parentElement?.parentElement?.getBoundingClientRect().left ?? 0))).toBeGreaterThan(20);
  await close();
});

test('legal pages load the text cut of the serif, and not the other', async () => {
  for (const [path, loaded, not] of [['/privacy', 'newsreader-text.', 'newsreader.'], ['/', 'newsreader.', 'newsreader-text.']] as const) {
    const fonts: string[] = [];
    const { page, close } = await firstVisit(path, {}, async (opened) => {
      opened.on('request', (request) => fonts.push(request.url()));
    });
    await page.waitForLoadState('networkidle');
    expect(fonts.some((url) => url.includes(`/${loaded}`)), path).toBe(true);
    expect(fonts.some((url) => url.includes(`/${not}`)), path).toBe(false);
    await close();
  }
});

test('a legal page that arrives in parts loads no other cut of the serif', async () => {
  const fonts: string[] = [];
  const { page, close } = await firstVisit('/privacy', {}, async (opened) => {
    opened.on('request', (request) => fonts.push(request.url()));
    await opened.route('**/privacy', async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      const head = html.slice(0, html.indexOf('<article'));
      expect(head).toContain('<header');
      await route.fulfill({ response, body: head });
    });
  });
  await page.waitForLoadState('networkidle');
  expect(fonts.filter((url) => url.includes('/newsreader.'))).toEqual([]);
  await close();
});

test('on phones of 659 px and higher, the contents show all clauses, and on lower ones they scroll', async () => {
  for (const [width, height] of [[390, 844], [375, 667], [390, 659], [375, 548]] as const) {
    const { page, close } = await visit('/terms#contents', { viewport: { width, height }, javaScriptEnabled: false });
    const hidden = await page.locator('nav ol').evaluate((list) => list.scrollHeight - list.clientHeight);
    if (height >= 659) expect(hidden, `${height}`).toBeLessThanOrEqual(0);
    const last = page.locator('nav ol a').last();
    await last.scrollIntoViewIfNeeded();
    const box = await last.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
    expect(box?.height).toBeGreaterThanOrEqual(24);
    await close();
  }
});
