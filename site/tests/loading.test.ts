// Tests what pages load and when: first only files for the first paint, then React in one round trip on the first interaction.
import { expect, test } from 'vitest';
import { routes } from '#content/routes.ts';
import { weigh } from '../../scripts/weights.mjs';
import { browser, firstVisit, origin } from './browser.ts';

/** Sizes by gzip, in bytes. Of the scripts, React takes 67,200. */
const firstPaint = 45_000;
const scriptsOf = (path: string) => (path === '/' ? 74_500 : 72_500);

// The contract limits the size of all pages. The browser test checks one page of each kind.
for (const { path, kind } of routes.filter((route) => ['/', '/usage-analytics', '/terms'].includes(route.path))) {
  const interactive = scriptsOf(path);
  test(`${path} paints from ${firstPaint} bytes, and ${kind === 'interactive' ? `is taken over by ${interactive} in two trips` : 'runs no script'}`, async () => {
    const { first, scriptsAtLoad, takesOver, scripts, trips } = await weigh(await browser(), origin() + path);
    expect(first.page + first.styles + first.fonts).toBeLessThanOrEqual(firstPaint);
    expect(scriptsAtLoad).toBe(0);
    expect(takesOver).toBe(kind === 'interactive');
    expect(scripts).toBeLessThanOrEqual(kind === 'interactive' ? interactive : 0);
    expect(trips).toBeLessThanOrEqual(2);
  });
}

for (const sign of ['a pointer', 'a touch', 'a key', 'scrolling'] as const) {
  test(`React comes with ${sign}, and not before`, async () => {
    const { page, said, close } = await firstVisit('/', { hasTouch: sign === 'a touch' });
    await page.waitForLoadState('networkidle');
    expect(await page.locator('[data-menu]').count()).toBe(0);
    if (sign === 'a pointer') await page.mouse.move(640, 600);
    else if (sign === 'a touch') await page.touchscreen.tap(5, 600);
    else if (sign === 'a key') await page.keyboard.press('Shift');
    else await page.evaluate(() => window.scrollTo(0, 300));
    await page.locator('[data-menu]').waitFor({ state: 'attached' });
    expect(said).toEqual([]);
    await close();
  });
}

/** Whether the opening, the next section, and the last section of a page are laid out while its first frame lasts forever. */
async function firstFrame(path: string): Promise<readonly boolean[]> {
  const { page, close } = await firstVisit(path, {}, async (opened) => {
    await opened.addInitScript(() => (window.requestAnimationFrame = () => 0));
  });
  const shown = await page.evaluate(() => ['[data-opening] h1', '[data-opening] + section h2', '[data-closing] h2'].map((part) => document.querySelector(part)?.checkVisibility({ contentVisibilityAuto: true }) ?? false));
  await close();
  return shown;
}

test('the first frame lays out the start of the page, and the next frames the rest', async () => {
  expect(await firstFrame('/')).toEqual([true, true, false]);
  expect(await firstFrame('/smart-caching')).toEqual([true, true, false]);
  const { page, close } = await firstVisit('/');
  await page.locator('html:not([data-frame])').waitFor();
  expect(await page.locator('[data-closing] h2').evaluate((heading) => heading.checkVisibility({ contentVisibilityAuto: true }))).toBe(true);
  await close();
});

test('the first frame has all of a page whose address names a place in it', async () => {
  expect(await firstFrame('/#testimonials')).toEqual([true, true, true]);
});

test('code that does not come at all leaves a page that works', async () => {
  const { page, close } = await firstVisit('/', {}, async (opened) => {
    await opened.route('**/*.js', (route) => route.abort());
  });
  await page.locator('header').first().dispatchEvent('pointerover');
  await page.locator('a[data-feature="smart-caching"]').click();
  await page.waitForURL('**/smart-caching');
  await page.locator('[data-part="faq"]').waitFor();
  await close();
});

for (const [sign, isOneOnly] of [['the next press', false], ['the next press', true], ['the network', true]] as const) {
  test(`after a failed request of ${isOneOnly ? 'one script' : 'all scripts'}, ${sign} loads the scripts again, and each press counts once`, async () => {
    let fails = true;
    const { page, close } = await firstVisit('/', { reducedMotion: 'reduce' }, async (opened) => {
      await opened.route('**/assets/**/*.js', (route) => (fails && (!isOneOnly || route.request().url().includes('/chunks/')) ? route.abort() : route.continue()));
    });
    const habit = page.locator('#bill button[aria-pressed]', { hasText: 'Users ask us' });
    const failed = page.waitForEvent('requestfailed');
    await habit.click();
    await failed;
    await page.waitForFunction(() => window.earlyClicks?.length === 0);
    expect(await habit.getAttribute('aria-pressed')).toBe('true');
    fails = false;
    if (sign === 'the network') {
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await page.waitForFunction(() => window.earlyClicks === undefined);
    }
    await habit.click();
    await expect.poll(() => habit.getAttribute('aria-pressed')).toBe('false');
    await page.locator('#how-it-works').getByRole('tab', { name: 'curl' }).click();
    await page.locator('#how-it-works pre', { hasText: 'curl' }).waitFor();
    await close();
  });
}
