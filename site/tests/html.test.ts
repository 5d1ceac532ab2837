// The HTML of every page: valid, and the same whether React has taken it over or not.
import { readFile } from 'node:fs/promises';
import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { interactiveRoutes, routes } from '#content/routes.ts';
import { hydrated, visit } from './browser.ts';
import { exported } from './sitegate.ts';

// The standard alone, as the W3C's checker has it: names, nesting, attributes and their values.
const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard'] });

/** What a page breaks, with the place. */
async function faults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) => messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId}: ${message}`));
}

test('the validator bites', async () => {
  expect(await faults('<!DOCTYPE html><html lang="en"><head><title>x</title></head><body><p><div>a</div></p></body></html>')).not.toEqual([]);
  expect(await faults('<!DOCTYPE html><html lang="en"><head><title>x</title></head><body><a href="/" target="?"><button>a</button></a></body></html>')).not.toEqual([]);
});

for (const path of [...routes.map((route) => route.path), '/404.html']) {
  test(`${path} is valid`, async () => {
    const html = await readFile(exported + (path.endsWith('.html') ? path : `${path.replace(/\/$/, '')}/index.html`), 'utf8');
    expect(await faults(html)).toEqual([]);
  });
}

/** The page as it stands, without what only React can know: that a menu is open or shut, and that it is managed. */
function written(): string {
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  for (const menu of copy.querySelectorAll('[data-menu]')) {
    menu.removeAttribute('data-menu');
    menu.querySelector('button')?.removeAttribute('aria-expanded');
  }
  for (const menu of copy.querySelectorAll('[data-phone-menu]')) menu.setAttribute('data-phone-menu', '');
  return copy.outerHTML;
}

for (const { path } of interactiveRoutes) {
  test(`${path} is the same without JavaScript, before React and after`, async () => {
    const without = await visit(path, { javaScriptEnabled: false });
    const plain = await without.page.evaluate(written);
    await without.close();
    const { page, said, close } = await visit(path);
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(written)).toBe(plain);
    await hydrated(page);
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(written)).toBe(plain);
    expect(said).toEqual([]);
    await close();
  });
}
