// Compares the storage of the browser after the use of all pages with what the Privacy Policy says about it.
import { expect, test } from 'vitest';
import { routes } from '#content/routes.ts';
import { firstVisit, hydrated, origin } from './browser.ts';

test('after the use of all pages, the browser stores what the Privacy Policy names', async () => {
  const { page, close } = await firstVisit('/privacy', { reducedMotion: 'reduce' });
  const policy = page.locator('#cookies');
  // The policy writes names of stored entries as code.
  const named = await policy.locator('code').allTextContents();
  const claimsNothing = (await policy.textContent())?.includes('store nothing else') ?? false;
  const states = new Set<string>();
  for (const { path, kind } of [...routes, { path: '/nowhere', kind: 'document' }, { path: '/#bill=46k&without=smart-caching', kind: 'interactive' }]) {
    await page.goto(origin() + path);
    if (kind === 'interactive') await hydrated(page);
    await page.locator('main').locator('button, summary, a[href^="#"]').evaluateAll((controls) => controls.forEach((control) => (control as HTMLElement).click()));
    await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    for (const key of await page.evaluate(() => Object.keys((history.state ?? {}) as object))) states.add(key);
    await page.goto(`${origin()}/terms`);
    await page.goBack();
  }
  const stored = await page.evaluate(async () => [
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
    ...(await indexedDB.databases()).map(({ name }) => name),
    ...(await caches.keys()),
    ...(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
  ]);
  const cookies = (await page.context().cookies()).map(({ name }) => name);
  expect([...stored, ...cookies].toSorted()).toEqual(named.toSorted());
  expect(claimsNothing).toBe(named.length === 0);
  // The history notes whose the bill is, as the policy says.
  expect([...states]).toEqual(['bill']);
  await close();
});
