// Opens pages of the export and listens to what the browser complains about.
import { readdir, readFile } from 'node:fs/promises';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, inject } from 'vitest';
import { exported } from './sitegate.ts';

let browser: Browser | undefined;

afterAll(async () => {
  await browser?.close();
});

/** A page, and everything that its console said. */
export interface Visit {
  readonly page: Page;
  readonly said: string[];
  readonly close: () => Promise<void>;
}

/** Where the export is served. */
export const origin = (): string => inject('origin');

/** Opens a path in a browser context of its own; `before` runs before the page loads. Closing fails where the page broke the site's policy. */
export async function visit(path: string, options: BrowserContextOptions = {}, before?: (page: Page) => Promise<void>): Promise<Visit> {
  browser ??= await chromium.connect(inject('browser'));
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  await before?.(page);
  await page.goto(inject('origin') + path);
  return {
    page,
    said,
    close: async () => {
      await context.close();
      const refused = said.filter((line) => /Content.Security.Policy|trusted.?type/i.test(line));
      if (refused.length > 0) throw new Error(`against the policy of the contract: ${refused.join('; ')}`);
    },
  };
}

/** The path of the script that holds these words. */
export async function codeWith(words: string): Promise<string> {
  const chunks = '/assets/chunks/';
  for (const name of await readdir(exported + chunks)) {
    if ((await readFile(exported + chunks + name, 'utf8')).includes(words)) return chunks + name;
  }
  throw new Error(`no script holds "${words}"`);
}

/** Whether a button that opens something is told as open, by the browser itself, to screen readers. */
export async function isExpanded(page: Page, name: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument');
  const { nodes } = await session.send('Accessibility.queryAXTree', { nodeId: root.nodeId, role: 'button', accessibleName: name });
  await session.detach();
  return nodes.find((node) => !node.ignored)?.properties?.find((property) => property.name === 'expanded')?.value.value;
}

/** Reaches for the header, which is what React waits for, and waits until it is in charge of the page. */
export async function hydrated(page: Page): Promise<void> {
  await page.locator('header').first().dispatchEvent('pointerover');
  await page.locator('[data-menu]').waitFor({ state: 'attached' });
}
