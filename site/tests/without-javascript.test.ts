// Tests that without JavaScript all text is visible and all links work, on a phone in both orientations and on a wide screen.
import { expect, test } from 'vitest';
import { routes } from '#content/routes.ts';
import { origin, visit } from './browser.ts';
import { hiddenWords } from './hidden-words.ts';

for (const [width, height] of [[390, 844], [844, 390], [1280, 844]] as const) {
  test(`${width} by ${height} px: words are seen and nothing runs over the edge`, async () => {
    const { page, close } = await visit('/', { viewport: { width, height }, javaScriptEnabled: false, reducedMotion: 'reduce' });
    for (const path of [...routes.map((route) => route.path), '/unknown']) {
      await page.goto(origin() + path);
      expect(await page.evaluate(hiddenWords), path).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), path).toBeLessThanOrEqual(0);
    }
    await close();
  });
}

test('links lead to pages and anchors that exist', async () => {
  const anchors = new Map<string, string[]>();
  const links = new Set<string>();
  const { page, close } = await visit('/', { javaScriptEnabled: false });
  for (const { path } of routes) {
    await page.goto(origin() + path);
    anchors.set(path, await page.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id)));
    for (const href of await page.locator('a[href]').evaluateAll((elements) => elements.map((element) => element.getAttribute('href') ?? ''))) {
      links.add(href.startsWith('#') ? path + href : href);
    }
  }
  await close();
  for (const link of [...links].filter((href) => href.startsWith('/'))) {
    const [path = '', anchor] = link.split('#');
    expect([...anchors.keys()], link).toContain(path);
    if (anchor !== undefined) expect(anchors.get(path), link).toContain(anchor);
  }
});
