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

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async (values) => {
    const { axe } = window as unknown as { axe: Axe };
    const result = await axe.run({ runOnly: { type: 'tag', values } });
    return result.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`));
  }, tags);
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1280]) {
    test(`${colorScheme}, ${width} px: no violations`, async () => {
      for (const { path, kind } of [...routes, { path: '/unknown', kind: 'document' }]) {
        const { page, close } = await visit(path, { colorScheme, viewport: { width, height: 844 }, reducedMotion: 'reduce', bypassCSP: true });
        if (kind === 'interactive') await hydrated(page);
        expect(await violations(page), path).toEqual([]);
        if (path === '/') {
          if (width === 390) await page.locator('[data-phone-menu] summary').click();
          else await page.locator('header').getByRole('button', { name: 'Features' }).hover();
          expect(await violations(page), 'menu open').toEqual([]);
        }
        await close();
      }
    });
  }
}
