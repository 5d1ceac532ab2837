// Runs axe on every page: light and dark, phone and wide, menus closed and open, and after each press of a button.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { routes } from '#content/routes.ts';
import { hydrated, visit } from './browser.ts';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Axe {
  run: (part: string, options: object) => Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

async function violations(page: Page, runOnly: object, part = 'html'): Promise<string[]> {
  return page.evaluate(
    async ([only, where]) => {
      const { axe } = window as unknown as { axe: Axe };
      const result = await axe.run(where, { runOnly: only, resultTypes: ['violations'] });
      return result.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`));
    },
    [runOnly, part] as const,
  );
}

/** All rules in the light theme. In the dark theme, only the rules about colors, because nothing else differs. */
async function check(page: Page, where: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await violations(page, { type: 'tag', values: tags }), `${where}, light`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }), `${where}, dark`).toEqual([]);
}

for (const path of [...routes.map((route) => route.path), '/unknown']) {
  test(`${path}, on a phone and on a wide screen`, async () => {
    const { page, close } = await visit(path, { reducedMotion: 'reduce', bypassCSP: true });
    await page.evaluate(axeSource);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await check(page, `${width} px, closed`);
    }
    if (path === '/') {
      await hydrated(page);
      await page.locator('header').getByRole('button', { name: 'Features' }).hover();
      await check(page, 'menu open');
      await page.setViewportSize({ width: 390, height: 844 });
      await page.locator('header').getByRole('button', { name: 'Menu' }).click();
      await check(page, 'phone menu open');
    }
    await close();
  });
}

/** Parts of pages with buttons to press. */
const pressable = [
  ['/', '#bill'],
  ['/', '#how-it-works figure'],
  ['/', 'details[name="request"]'],
  ['/', '[data-opening]'],
  ['/prompt-optimization', '[data-part="example"]'],
  ['/smart-caching', '[data-part="example"]'],
  ['/model-routing', '[data-part="example"]'],
  ['/usage-analytics', '[role="tablist"]'],
] as const;

for (const hasTouch of [false, true]) {
  for (const [path, part] of pressable) {
    test(`${path} ${part}, after each press ${hasTouch ? 'on a touch screen' : 'with a mouse that stays there'}`, async () => {
      const { page, close } = await visit(path, { viewport: { width: 390, height: 844 }, hasTouch, isMobile: hasTouch, reducedMotion: 'reduce', bypassCSP: true });
      await page.evaluate(axeSource);
      if (path === '/') await hydrated(page);
      const all = await page.locator(part).locator('button:visible, summary:visible, a[href^="#bill="]:visible').all();
      expect(all.length).toBeGreaterThan(1);
      for (const control of all) {
        await (hasTouch ? control.tap() : control.click());
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await violations(page, { type: 'rule', values: ['color-contrast'] }, part), `${await control.textContent()}, ${colorScheme}`).toEqual([]);
        }
      }
      await close();
    });
  }
}
