// axe on every page: light and dark, phone and wide, menus closed and open.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { routes } from '#content/routes.ts';
import { hydrated, visit } from './browser.ts';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Axe {
  run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

async function violations(page: Page, runOnly: object): Promise<string[]> {
  return page.evaluate(async (only) => {
    const { axe } = window as unknown as { axe: Axe };
    const result = await axe.run({ runOnly: only, resultTypes: ['violations'] });
    return result.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`));
  }, runOnly);
}

/** All rules in light; in dark only colours can differ, so only the rules about them run again. */
async function check(page: Page, where: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await violations(page, { type: 'tag', values: tags }), `${where}, light`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }), `${where}, dark`).toEqual([]);
}

for (const width of [390, 1280]) {
  for (const path of [...routes.map((route) => route.path), '/unknown']) {
    test(`${path} at ${width} px`, async () => {
      const { page, close } = await visit(path, { viewport: { width, height: 844 }, reducedMotion: 'reduce', bypassCSP: true });
      await page.evaluate(axeSource);
      await check(page, 'closed');
      if (path === '/') {
        await hydrated(page);
        if (width === 390) await page.locator('header').getByRole('button', { name: 'Menu' }).click();
        else await page.locator('header').getByRole('button', { name: 'Features' }).hover();
        await check(page, 'menu open');
      }
      await close();
    });
  }
}
