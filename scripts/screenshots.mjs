// Takes screenshots of every page of the export, at four widths and in both themes, into ./screenshots (not committed).
//
//   npm run screenshots [-- PATH …]     run npm run build first
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { namedPages } from './paths.mjs';
import { root, sitegate } from './run.mjs';
import { needExport, open } from './serve.mjs';

const folder = join(root, 'screenshots');
const screens = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
const themes = /** @type {const} */ (['light', 'dark']);

const pages = namedPages(process.argv.slice(2), 'npm run screenshots [-- PATH …]');
await needExport();

/**
 * Takes a screenshot of a whole page, without animations and with sticky elements shown once.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} origin
 * @param {string} path
 * @param {{ width: number, height: number }} viewport
 * @param {(typeof themes)[number]} colorScheme
 */
async function photograph(browser, origin, path, { width, height }, colorScheme) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(origin + path, { waitUntil: 'networkidle' });
  const name = path === '/' ? 'home' : path.slice(1);
  await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
  await context.close();
}

const { origin, browser, close } = await open(sitegate('debug'));
try {
  await mkdir(folder, { recursive: true });
  for (const path of pages) {
    for (const screen of screens) for (const theme of themes) await photograph(browser, origin, path, screen, theme);
    console.log(`${path}: ${screens.length * themes.length} screenshots`);
  }
  console.log(`They are in ${folder}`);
} finally {
  await close();
}
