// Visual regression tests: compares small screenshots with those in looks/. `UPDATE=1 npm run test:browser` updates them.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { browser, visit, withFonts } from './browser.ts';
import { difference, picture, scale } from './pictures.ts';
import { top } from './sitegate.ts';

const folder = fileURLToPath(new URL('looks/', import.meta.url));
/** The folder for changed screenshots. */
const seenFolder = `${top}.sitegate/looks/`;
const updates = process.env['UPDATE'] === '1';

const widths = [390, 768, 1440];
const pages = ['/', '/prompt-optimization', '/smart-caching', '/model-routing', '/usage-analytics'];
const nameOf = (path: string): string => (path === '/' ? 'home' : path.slice(1));

const looks = [
  ...pages.flatMap((path) => widths.map((width) => ({ name: `${nameOf(path)}-${width}`, path, width, dark: false }))),
  ...widths.map((width) => ({ name: `home-${width}-dark`, path: '/', width, dark: true })),
  { name: 'usage-analytics-1440-dark', path: '/usage-analytics', width: 1440, dark: true },
  { name: 'terms-390', path: '/terms', width: 390, dark: false },
  { name: 'not-found-1440', path: '/nowhere', width: 1440, dark: false },
];

/** Maximum number of different pixels in a million, because machines render the edges of text differently. */
const allowed = 2_000;

let blank: Page;
let major: string | undefined;
/** The browser of the screenshots. Another version may have small offsets. */
let made: string | undefined;

beforeAll(async () => {
  const chromium = await browser();
  blank = await chromium.newPage();
  [major] = chromium.version().split('.');
  if (updates) {
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}chromium.txt`, `${major}\n`);
  }
  made = (await readFile(`${folder}chromium.txt`, 'utf8').catch(() => undefined))?.trim();
  if (made !== major) console.log(`The pictures in site/tests/looks were made by Chromium ${made}, and this is ${major}: they are not compared`);
});

/** Opens a page with all images loaded and without animations. */
async function still({ path, width, dark }: (typeof looks)[number]) {
  const visited = await visit(path, { viewport: { width, height: 900 }, deviceScaleFactor: scale, reducedMotion: 'reduce', colorScheme: dark ? 'dark' : 'light' });
  await withFonts(visited.page);
  await visited.page.evaluate(() => document.fonts.ready);
  return visited;
}

for (const look of looks) {
  test(`${look.name} looks as it did`, async (context) => {
    const { page, close } = await still(look);
    const file = `${folder}${look.name}.webp`;
    const now = await picture(page, blank);
    await close();
    if (updates) await writeFile(file, Buffer.from(now, 'base64'));
    if (made !== major) context.skip();
    const differs = await difference(blank, await readFile(file, 'base64'), now);
    if (differs > allowed) {
      await mkdir(seenFolder, { recursive: true });
      const seen = `${seenFolder}${look.name}.webp`;
      await writeFile(seen, Buffer.from(now, 'base64'));
      expect.fail(`${Math.round(differs / 10_000)} % of ${look.name} look other than in ${file}; it now looks like ${seen}. UPDATE=1 takes it as it is`);
    }
  });
}

test('a page that looks other than before is noticed', async () => {
  const { page, close } = await still({ name: 'home', path: '/', width: 1280, dark: false });
  const before = await picture(page, blank);
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>('main h2')) button.style.letterSpacing = '0.05em';
  });
  const after = await picture(page, blank);
  await close();
  expect(await difference(blank, before, before)).toBe(0);
  expect(await difference(blank, before, after)).toBeGreaterThan(allowed);
});
