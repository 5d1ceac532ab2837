// Opens pages of the export and records errors of the browser.
import { readdir, readFile } from 'node:fs/promises';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, inject } from 'vitest';
import { exported } from './sitegate.ts';

let browser: Browser | undefined;

afterAll(async () => {
  await browser?.close();
});

/** A page and its console messages. */
export interface Visit {
  readonly page: Page;
  readonly said: string[];
  readonly close: () => Promise<void>;
}

/** The origin of the export. */
export const origin = (): string => inject('origin');

/** Opens a path in a new browser context. `before` runs before the page loads. Closing fails if the page violated the policy. */
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

/** Returns the path of the script with this text. */
export async function codeWith(words: string): Promise<string> {
  const chunks = '/assets/chunks/';
  for (const name of await readdir(exported + chunks)) {
    if ((await readFile(exported + chunks + name, 'utf8')).includes(words)) return chunks + name;
  }
  throw new Error(`no script holds "${words}"`);
}

/** Whether the accessibility tree reports a button as expanded. */
export async function isExpanded(page: Page, name: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument');
  const { nodes } = await session.send('Accessibility.queryAXTree', { nodeId: root.nodeId, role: 'button', accessibleName: name });
  await session.detach();
  return nodes.find((node) => !node.ignored)?.properties?.find((property) => property.name === 'expanded')?.value.value;
}

/** Moves the mouse to the header, which triggers hydration, and waits for it. */
export async function hydrated(page: Page): Promise<void> {
  await page.locator('header').first().dispatchEvent('pointerover');
  await page.locator('[data-menu]').waitFor({ state: 'attached' });
}
