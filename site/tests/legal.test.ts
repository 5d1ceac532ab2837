// Tests the legal pages: collapsible contents that mark the current clause without JavaScript, and the print layout.
import { expect, test } from 'vitest';
import { visit } from './browser.ts';

const still = { javaScriptEnabled: false, reducedMotion: 'reduce' } as const;

test('on a phone the contents are folded, and lead to a clause', async () => {
  const { page, close } = await visit('/terms', { ...still, viewport: { width: 390, height: 844 }, hasTouch: true });
  const entry = page.getByRole('link', { name: '4. Your account' });
  expect(await entry.isVisible()).toBe(false);
  await page.locator('summary').tap();
  await entry.tap();
  await page.waitForURL('**/terms#accounts');
  await expect.poll(() => page.locator('#accounts h2').evaluate((heading) => heading.getBoundingClientRect().top)).toBeLessThan(200);
  await close();
});

for (const width of [768, 1280]) {
  test(`at ${width} px the contents lie open, and the keyboard reaches them`, async () => {
    const { page, close } = await visit('/privacy', { ...still, viewport: { width, height: 1000 } });
    expect(await page.locator('summary').isVisible()).toBe(false);
    expect(await page.locator('#contents').isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Back to Home' }).focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('1. Who we are and what this policy covers');
    await close();
  });
}

test('long entries hang from their numbers', async () => {
  const { page, close } = await visit('/privacy', { ...still, viewport: { width: 768, height: 1000 } });
  const edges = await page.locator('nav[aria-labelledby="contents"] a').evaluateAll((links) =>
    links.map((link) => {
      const [number, title] = [...link.children].map((part) => part.getBoundingClientRect());
      return (number?.right ?? 0) <= (title?.left ?? -1);
    }),
  );
  expect(edges.length).toBe(17);
  expect(new Set(edges)).toEqual(new Set([true]));
  await close();
});

test('the entry of the clause that is read is marked', async () => {
  const { page, close } = await visit('/terms', { ...still, viewport: { width: 1280, height: 900 } });
  const weights = () => page.locator('nav[aria-labelledby="contents"] a').evaluateAll((links) => links.filter((link) => getComputedStyle(link).fontWeight === '600').map((link) => link.textContent));
  for (const [anchor, entry] of [['refunds', '9. Fees and refunds'], ['liability', '12. Limit of liability']] as const) {
    await page.evaluate((id) => document.getElementById(id)?.scrollIntoView({ behavior: 'instant' }), anchor);
    await expect.poll(weights).toEqual([entry]);
  }
  await close();
});

test('printed, every page bears the title, a link tells its clause or its address, and nothing is there to be clicked', async () => {
  const { page, close } = await visit('/terms', still);
  await page.emulateMedia({ media: 'print' });
  const told = (name: string) => page.locator('main div a', { hasText: name }).first().evaluate((link) => getComputedStyle(link, '::after').content);
  expect(await told('Fees and refunds')).toBe('" (§ 9)"');
  expect(await told('Google sign-in data')).toBe('" (www.example.com/privacy#google-sign-in)"');
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--title'))).toBe(`"${await page.title()}"`);
  for (const hidden of [page.locator('nav[aria-labelledby="contents"]'), page.getByRole('link', { name: 'Back to Home' }), page.locator('footer nav')]) expect(await hidden.isVisible()).toBe(false);
  await close();
});
