// Tests the feature pages: the way to the example, the tabs of the dashboard, the colors of charts, the steps of the call.
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { features, pathOf } from '#content/features.ts';
import { hydrated, visit } from './browser.ts';

const paths = features.map(pathOf);

test('the opening leads to the example, the end to the next line of the bill', async () => {
  const { page, close } = await visit('/prompt-optimization', { javaScriptEnabled: false, reducedMotion: 'reduce' });
  const seen: string[] = [];
  for (let step = 0; step < paths.length; step += 1) {
    seen.push(new URL(page.url()).pathname);
    await page.getByRole('link', { name: 'See the example' }).click();
    await expect.poll(() => page.locator('#example').evaluate((section) => Math.round(section.getBoundingClientRect().top))).toBeLessThan(150);
    expect(await page.locator('[data-closing] li').count()).toBe(3);
    const next = features[(step + 1) % features.length];
    const link = page.locator('[data-closing] p a').last();
    expect(await link.textContent()).toContain(next?.line.label);
    await link.click();
    await page.waitForURL(`**${next === undefined ? '' : pathOf(next)}`);
  }
  expect(seen).toEqual(paths);
  await close();
});

test('two benefits of each page have a drawing and more room than the other four', async () => {
  const { page, close } = await visit('/', { viewport: { width: 1440, height: 900 }, javaScriptEnabled: false });
  for (const path of paths) {
    await page.goto(new URL(path, page.url()).href);
    const items = await page.locator('[data-part="benefits"] li').evaluateAll((all) => all.map((item) => [item.querySelector('[aria-hidden]') !== null, Math.round(item.getBoundingClientRect().width)] as const));
    expect(items.map(([drawn]) => drawn), path).toEqual([true, true, false, false, false, false]);
    const [large = 0, small = 0] = [items[0]?.[1], items[5]?.[1]];
    expect(large, path).toBeGreaterThan(1.8 * small);
  }
  await close();
});

test('the sums of the prompt are apart on a phone', async () => {
  const { page, close } = await visit('/prompt-optimization', { javaScriptEnabled: false, reducedMotion: 'reduce' });
  for (const width of [320, 390, 600]) {
    await page.setViewportSize({ width, height: 844 });
    const gaps = await page.locator('[data-part="example"] tfoot tr').evaluateAll((rows) =>
      rows.map((row) => (row.querySelector('ins')?.getBoundingClientRect().left ?? 0) - (row.querySelector('del')?.getBoundingClientRect().right ?? 0)),
    );
    expect(Math.min(...gaps), `${width}`).toBeGreaterThan(8);
  }
  await close();
});

test('the dashboard is split by team, project or user, by pointer and by keys', async () => {
  const { page, said, close } = await visit('/usage-analytics', { reducedMotion: 'reduce' });
  await hydrated(page);
  const tab = (name: string) => page.getByRole('tab', { name });
  const shown = () => page.getByRole('tabpanel').evaluateAll((panels) => panels.filter((panel) => panel.checkVisibility()).map((panel) => panel.querySelector('h3')?.textContent));
  expect(await shown()).toEqual(['Spending by team']);
  await tab('Project').click();
  expect(await shown()).toEqual(['Spending by project']);
  expect(await tab('Project').getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('ArrowRight');
  expect(await shown()).toEqual(['Spending by user']);
  await page.keyboard.press('ArrowRight');
  expect(await shown()).toEqual(['Spending by team']);
  expect(await tab('Team').evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('End');
  expect(await shown()).toEqual(['Spending by user']);
  await page.keyboard.press('Home');
  expect(await shown()).toEqual(['Spending by team']);
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('tabpanel');
  expect(said).toEqual([]);
  await close();
});

test('without JavaScript all three splits can be read, without tabs', async () => {
  const { page, close } = await visit('/usage-analytics', { javaScriptEnabled: false });
  for (const label of ['Spending by team', 'Spending by project', 'Spending by user']) expect(await page.locator('[data-part="example"]').getByRole('heading', { name: label }).isVisible()).toBe(true);
  expect(await page.getByRole('tab').filter({ visible: true }).count()).toBe(0);
  await close();
});

test('in the dashboard, red is only what was saved', async () => {
  const { page, close } = await visit('/usage-analytics', { reducedMotion: 'reduce' });
  const colors = (selector: string, property: 'fill' | 'stroke') => page.locator(`[data-part="example"] ${selector}`).evaluateAll((shapes, name) => [...new Set(shapes.map((shape) => getComputedStyle(shape)[name]))], property);
  const red = 'rgb(191, 44, 23)';
  expect(await colors('svg g rect:last-child', 'fill')).not.toContain(red);
  expect(await colors('svg g rect:first-child', 'stroke')).toEqual([red]);
  const rings = page.locator('[data-part="example"] svg[role="img"]:has(circle)');
  const arcs = await rings.evaluateAll((drawings) => drawings.map((drawing) => [drawing.querySelector('title')?.textContent?.split(':')[0], [...drawing.querySelectorAll('circle')].slice(1).some((arc) => getComputedStyle(arc).stroke === 'rgb(191, 44, 23)')]));
  expect(arcs).toEqual([['Cost reduction', true], ['Tokens saved', true], ['Cache hit rate', false], ['Budget used', false], ['Model usage share', false]]);
  await close();
});

test('in both themes, each color of the dashboard has one meaning, which the legend shows', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, close } = await visit('/usage-analytics', { colorScheme, reducedMotion: 'reduce' });
    const example = page.locator('[data-part="example"]');
    const key = (tone: string) => example.locator(`li[data-tone="${tone}"]`).evaluate((item) => getComputedStyle(item, '::before').borderTopColor);
    const color = (selector: string, property: 'fill' | 'stroke') => example.locator(selector).first().evaluate((shape, name) => getComputedStyle(shape)[name], property);
    const arc = (title: string) => color(`svg:has(> title:text-is("${title}")) circle:nth-of-type(2)`, 'stroke');
    expect(await color('svg g rect:last-child', 'fill')).toBe(await key('spent'));
    expect(await arc('Budget used: 84%')).toBe(await key('spent'));
    expect(await color('svg g rect:first-child', 'stroke')).toBe(await key('saved'));
    expect(await arc('Cost reduction: 40%')).toBe(await key('saved'));
    expect(await arc('Cache hit rate: 52%')).toBe(await key('requests'));
    expect(await example.locator('svg[role="img"]').last().locator('circle').nth(1).evaluate((circle) => getComputedStyle(circle).stroke)).toBe(await key('requests'));
    expect(new Set(await Promise.all(['spent', 'saved', 'requests'].map(key))).size).toBe(3);
    expect(await example.locator('li[data-tone]').allTextContents()).toEqual(['Spent', 'Saved', 'Share of requests']);
    await close();
  }
});

test('the months of the dashboard are under their bars, and the bars fill their cell', async () => {
  const { page, close } = await visit('/usage-analytics', { javaScriptEnabled: false, reducedMotion: 'reduce' });
  for (const width of [768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const [bars, months] = await Promise.all(['svg g rect:last-child', 'p[aria-hidden] b'].map((parts) => page.locator(`[data-part="example"] ${parts}`).evaluateAll((all) => all.map((part) => part.getBoundingClientRect()).map(({ left, right }) => (left + right) / 2))));
    for (const [index, month] of (months ?? []).entries()) expect(month, `${width}`).toBeCloseTo(bars?.[index] ?? 0, -0.5);
    const [cell, chart] = await Promise.all(['figure > div > div', 'p[aria-hidden]'].map((part) => page.locator(`[data-part="example"] ${part}`).first().boundingBox()));
    expect((cell?.y ?? 0) + (cell?.height ?? 0) - (chart?.y ?? 0) - (chart?.height ?? 0), `${width}`).toBeLessThan(40);
  }
  await close();
});

test('on narrow sheets of the routing example, names and prices are under their stops, on wide ones prices are in a column', async () => {
  const { page, close } = await visit('/model-routing', { javaScriptEnabled: false, reducedMotion: 'reduce' });
  const lanes = page.locator('[data-part="example"] li');
  for (const width of [320, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const places = await lanes.evaluateAll((all) =>
      all.map((lane, index) => {
        const { left, right } = lane.querySelectorAll('p span[aria-hidden] span')[index]?.getBoundingClientRect() ?? new DOMRect();
        const [name = 0, prices = 0] = [lane.querySelector('p > span + span'), lane.querySelector(':scope > p:last-child')].map((part) => {
          const box = part?.getBoundingClientRect() ?? new DOMRect();
          return (box.left + box.right) / 2;
        });
        return { stop: (left + right) / 2, name, prices, end: lane.querySelector('ins')?.getBoundingClientRect().right ?? 0 };
      }),
    );
    if (width < 1000) for (const { stop, name, prices } of places) expect(Math.max(Math.abs(name - stop), Math.abs(prices - stop)), `${width}`).toBeLessThan(1);
    else expect(new Set(places.map(({ end }) => Math.round(end))).size).toBe(1);
    if (width >= 390) {
      const [label, price] = await page.locator('[data-part="example"] ul + p > span').evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().bottom));
      expect(Math.abs((label ?? 0) - (price ?? Infinity)), `${width}`).toBeLessThan(12);
    }
  }
  await close();
});

test('a press puts a struck line of the prompt back, and the sums and what is sent follow', async () => {
  const { page, said, close } = await visit('/prompt-optimization', { reducedMotion: 'reduce' });
  await hydrated(page);
  const part = page.locator('[data-part="example"]');
  const sums = () => part.locator('tfoot ins').allTextContents();
  expect(await sums()).toEqual(['Now 58', 'Now $0.0116']);
  const line = part.getByRole('button', { name: /^Thank you so much/ });
  expect(await line.getAttribute('aria-pressed')).toBe('true');
  await line.click();
  expect(await sums()).toEqual(['Now 73', 'Now $0.0146']);
  expect(await part.locator('[aria-live]').textContent()).toBe('73 tokens$0.0146');
  expect(await part.getByText('Email: {{email}}').last().textContent()).toContain('Thank you so much');
  while ((await part.locator('[aria-pressed="true"]').count()) > 0) await part.locator('[aria-pressed="true"]').first().click();
  expect(await sums()).toEqual(['Now 147', 'Now $0.0294']);
  await line.click();
  expect(await sums()).toEqual(['Now 132', 'Now $0.0264']);
  expect(said).toEqual([]);
  await close();
});

/** The shown note of the threshold. */
const note = (part: Locator) => part.locator('[aria-live] p').evaluateAll((all) => all.filter((one) => one.checkVisibility({ visibilityProperty: true })).map((one) => one.querySelector('strong')?.textContent));

test('the similarity decides which calls the cache answers, and the sums follow', async () => {
  const { page, said, close } = await visit('/smart-caching', { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  await hydrated(page);
  const part = page.locator('[data-part="example"]');
  const costs = () => part.locator('tbody td:last-child').allTextContents();
  const sums = () => part.locator('tfoot ins').allTextContents();
  expect([await costs(), await sums(), await note(part)]).toEqual([['$0.05', '$0', '$0', '$0.05'], ['Now 4.8 s', 'Now $0.10'], ['Usual, $0.10:']]);
  const { height = 0 } = (await part.boundingBox()) ?? {};
  await part.getByRole('button', { name: 'Strict' }).click();
  expect([await costs(), await sums(), await note(part)]).toEqual([['$0.05', '$0', '$0.05', '$0.05'], ['Now 7.0 s', 'Now $0.15'], ['Strict, $0.15:']]);
  await part.getByRole('button', { name: 'Generous' }).click();
  expect([await costs(), await sums(), await note(part)]).toEqual([['$0.05', '$0', '$0', '$0'], ['Now 2.6 s', 'Now $0.05'], ['Generous, $0.05:']]);
  expect(await part.locator('[aria-pressed="true"]').allTextContents()).toEqual(['Generous $0.05']);
  // Nothing below has moved.
  expect((await part.boundingBox())?.height).toBeCloseTo(height, 0);
  expect(said).toEqual([]);
  await close();
});

const sentTo = (model: string) => `Sent to: ${model} model`;

test('the quality decides where each lane ends, and the sum follows', async () => {
  const { page, said, close } = await visit('/model-routing', { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  await hydrated(page);
  const part = page.locator('[data-part="example"]');
  const models = () => part.locator('li p > span + span').allTextContents();
  const sum = () => part.locator('ul + p ins').textContent();
  expect([await models(), await sum()]).toEqual([['Small', 'Mid-size', 'Large'].map(sentTo), 'Now $0.047']);
  await part.getByRole('button', { name: 'Fast' }).click();
  expect([await models(), await sum(), await note(part)]).toEqual([['Small', 'Small', 'Mid-size'].map(sentTo), 'Now $0.019', ['Fast, $0.019:']]);
  await part.getByRole('button', { name: 'Strict' }).click();
  expect([await models(), await sum(), await note(part)]).toEqual([['Mid-size', 'Large', 'Large'].map(sentTo), 'Now $0.075', ['Strict, $0.075:']]);
  // Names are under the end of their lanes, and only what costs less is struck.
  expect(await part.locator('li del').count()).toBe(1);
  const gaps = await part.locator('li').evaluateAll((lanes) =>
    lanes.map((lane) => {
      const ends = [lane.querySelectorAll('p span[aria-hidden] span')[Number(lane.getAttribute('data-stop'))], lane.querySelector('p > span + span')].map((element) => element?.getBoundingClientRect() ?? new DOMRect());
      const [dot = 0, name = 0] = ends.map(({ left, right }) => (left + right) / 2);
      return Math.abs(dot - name);
    }),
  );
  expect(Math.max(...gaps)).toBeLessThan(1);
  expect(said).toEqual([]);
  await close();
});

test('without JavaScript all choices of a threshold can be read, without buttons', async () => {
  const { page, close } = await visit('/smart-caching', { javaScriptEnabled: false });
  for (const [path, notes] of [['/smart-caching', ['Strict, $0.15:', 'Usual, $0.10:', 'Generous, $0.05:']], ['/model-routing', ['Fast, $0.019:', 'Careful, $0.047:', 'Strict, $0.075:']]] as const) {
    await page.goto(new URL(path, page.url()).href);
    expect(await note(page.locator('[data-part="example"]'))).toEqual(notes);
    expect(await page.locator('[data-part="example"] button').filter({ visible: true }).count()).toBe(0);
  }
  await close();
});

test('printed, a heading is on the page of the first thing that it introduces', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false });
  for (const path of ['/', ...paths]) {
    await page.goto(new URL(path, page.url()).href);
    const pairs = await page.locator('main section').evaluateAll((sections) =>
      sections.flatMap((section) => {
        const [head, first] = section.querySelectorAll('h2, h3');
        return head?.tagName === 'H2' && !head.classList.contains('visually-hidden') && first?.closest('li') ? [[head.textContent ?? '', first.textContent ?? '']] : [];
      }),
    );
    expect(pairs.length, path).toBeGreaterThan(0);
    for (const format of ['A4', 'Letter', 'A5']) {
      const pdf = (await page.pdf({ format, outline: true, tagged: true })).toString('latin1');
      // Titles with typographic characters are in another encoding.
      const pages = new Map([...pdf.matchAll(/\/Title \(([^)]*)\)\s\/Dest \[(\d+)/g)].map(([, title = '', at]) => [title, at]));
      for (const [head = '', first = ''] of pairs) if (pages.has(head) && pages.has(first)) expect(pages.get(first), `${path} ${format}: ${head}`).toBe(pages.get(head));
    }
  }
  await close();
});

test('the tabs of the dashboard are in one row where its cells are narrow', async () => {
  const { page, close } = await visit('/usage-analytics', { reducedMotion: 'reduce' });
  await page.evaluate(() => document.fonts.ready);
  for (const width of [1024, 1100, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const tops = await page.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => Math.round(tab.getBoundingClientRect().top)));
    expect(new Set(tops).size, `${width}`).toBe(1);
  }
  await close();
});
