// Opens pages of the export and records errors of the browser.
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { inject } from 'vitest';

let connection: Promise<Browser> | undefined;

/** The browser of setup.ts. All test files of a worker use one connection, which ends with the worker. */
export const browser = (): Promise<Browser> => (connection ??= chromium.connect(inject('browser')));

/** A page and its console messages. */
export interface Visit {
  readonly page: Page;
  readonly said: string[];
  readonly close: () => Promise<void>;
}

/** The origin of the export. */
export const origin = (): string => inject('origin');

/** Opens a path, records the console messages, and runs `end` on closing. Closing fails if the page violated the policy. */
async function record(page: Page, path: string, end: () => Promise<unknown>): Promise<Visit> {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  await page.goto(origin() + path);
  return {
    page,
    said,
    close: async () => {
      await end();
      const refused = said.filter((line) => /Content.Security.Policy|trusted.?type/i.test(line));
      if (refused.length > 0) throw new Error(`against the policy of the contract: ${refused.join('; ')}`);
    },
  };
}

/** Waits until the first frames are over, which lay out only a part of the page. */
const laidOut = (page: Page) => page.locator('html:not([data-frame])').waitFor({ state: 'attached' });

/** Pages whose tests are done, by the options of their contexts. */
const idle = new Map<string, Page[]>();

/** Removes everything that a test leaves in a page, except the HTTP cache and the history. */
async function clear(page: Page): Promise<void> {
  await Promise.all(page.context().pages().filter((other) => other !== page).map((other) => other.close()));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.mouse.move(-1, -1);
  // A document without scripts, so that nothing is stored after the storage was cleared.
  await page.goto(`${origin()}/robots.txt`);
  await page.evaluate(() => {
    sessionStorage.clear();
    localStorage.clear();
  });
  page.removeAllListeners();
}

/** Opens a path in a page that earlier tests may have used, because a new context costs more than twice as much as a test. */
export async function visit(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const { viewport = { width: 1280, height: 800 }, colorScheme = 'light', reducedMotion = 'no-preference', ...others } = options;
  const kind = JSON.stringify(Object.entries(others).toSorted());
  const page = idle.get(kind)?.pop() ?? (await (await (await browser()).newContext(others)).newPage());
  if (viewport !== null) await page.setViewportSize(viewport);
  await page.emulateMedia({ media: null, colorScheme, reducedMotion, forcedColors: 'none' });
  const visited = await record(page, path, async () => {
    await clear(page);
    idle.set(kind, [...(idle.get(kind) ?? []), page]);
  });
  await laidOut(page);
  return visited;
}

/** Opens a path in a new context: without a cache, a history, or anything of other tests. `before` runs before the page loads. */
export async function firstVisit(path: string, options: BrowserContextOptions = {}, before?: (page: Page) => Promise<void>): Promise<Visit> {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  await before?.(page);
  const visited = await record(page, path, () => context.close());
  // `before` may have stopped the clock.
  if (before === undefined) await laidOut(page);
  return visited;
}

/** Loads a page again if its fonts came over the network, because those that are too late for the first view are used in the next. */
export async function withFonts(page: Page): Promise<void> {
  const isFirst = await page.evaluate(() => (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).some(({ name, transferSize }) => name.endsWith('.woff2') && transferSize > 0));
  if (isFirst) await page.reload();
}

/** Whether the accessibility tree reports a button as expanded. */
export async function isExpanded(page: Page, name: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument');
  const { nodes } = await session.send('Accessibility.queryAXTree', { nodeId: root.nodeId, role: 'button', accessibleName: name });
  await session.detach();
  return nodes.find((node) => !node.ignored)?.properties?.find((property) => property.name === 'expanded')?.value.value;
}

/** Moves the mouse to the header, which triggers hydration, and waits until clicks are not recorded any more. */
export async function hydrated(page: Page): Promise<void> {
  await page.locator('header').first().dispatchEvent('pointerover');
  await page.waitForFunction(() => window.earlyClicks === undefined);
  await page.locator('[data-menu]').waitFor({ state: 'attached' });
}
