// Tests the tabs of the sample code, what its button copies, and all samples without JavaScript.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { codeSamples } from '#content/pages/code-samples.ts';
import { hydrated, origin, visit } from './browser.ts';
import { newCode } from './new-code.ts';

const samples = (page: Page) => page.locator('#how-it-works [role="tabpanel"]');
const shown = (page: Page) => samples(page).evaluateAll((panels) => panels.map((panel) => panel.checkVisibility({ visibilityProperty: true })));

for (const width of [320, 390, 1280]) {
  test(`at ${width} px each tab shows its sample, and moves nothing below`, async () => {
    const { page, said, close } = await visit('/', { viewport: { width, height: 844 }, reducedMotion: 'reduce' });
    await hydrated(page);
    const notes = page.locator('#how-it-works figure ul').first();
    const { height = 0 } = (await page.locator('#how-it-works figure').boundingBox()) ?? {};
    expect(await shown(page)).toEqual([true, false, false]);
    for (const [index, { language }] of codeSamples.entries()) {
      await page.getByRole('tab', { name: language }).click();
      expect(await shown(page)).toEqual(codeSamples.map((_, at) => at === index));
      expect((await page.locator('#how-it-works figure').boundingBox())?.height).toBeCloseTo(height, 0);
      // No line is wider than the paper.
      expect(await samples(page).nth(index).locator('code > *').evaluateAll((lines) => Math.max(...lines.map((line) => line.scrollWidth - line.clientWidth)))).toBeLessThanOrEqual(0);
    }
    await page.keyboard.press('Home');
    expect(await shown(page)).toEqual([true, false, false]);
    expect(await notes.isVisible()).toBe(true);
    expect(said).toEqual([]);
    await close();
  });
}

test('the button copies the new code of the shown sample, and reports it until another is shown', async () => {
  const { page, close } = await visit('/', { reducedMotion: 'reduce' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: origin() });
  await hydrated(page);
  const copy = page.locator('#how-it-works figure button:not([role])');
  for (const { language, diff } of codeSamples) {
    await page.getByRole('tab', { name: language }).click();
    expect(await copy.textContent()).toBe(`Copy: ${language}`);
    await copy.click();
    await expect.poll(() => copy.textContent()).toBe(`Copied: ${language}`);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(newCode(diff));
  }
  await page.context().clearPermissions();
  await close();
});

test('a press before React is there works when it is', async () => {
  const { page, close } = await visit('/', { reducedMotion: 'reduce' });
  await page.getByRole('tab', { name: 'curl' }).evaluate((tab: HTMLElement) => tab.click());
  await hydrated(page);
  await expect.poll(() => shown(page)).toEqual([false, false, true]);
  await close();
});

test('without JavaScript all samples can be read, each under its language', async () => {
  const { page, close } = await visit('/', { javaScriptEnabled: false });
  expect(await shown(page)).toEqual([true, true, true]);
  for (const [index, { language }] of codeSamples.entries()) expect(await samples(page).nth(index).getByText(language, { exact: true }).isVisible()).toBe(true);
  expect(await page.locator('#how-it-works figure button').filter({ visible: true }).count()).toBe(0);
  await close();
});
