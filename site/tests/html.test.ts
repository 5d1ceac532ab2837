// Tests that the HTML of every page is valid, and the same before and after hydration.
import { readFile } from 'node:fs/promises';
import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { routes } from '#content/routes.ts';
import { hydrated, visit } from './browser.ts';
import { exported } from './sitegate.ts';

// Only rules of the HTML standard, as in the W3C checker: names, nesting, attributes and their values.
const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard'] });

/** Returns the violations of a page with their locations. */
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

/** Returns the HTML of a page, without attributes that only React sets on menus. */
function written(): string {
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  for (const menu of copy.querySelectorAll('[data-menu]')) {
    menu.removeAttribute('data-menu');
    menu.querySelector('button')?.removeAttribute('aria-expanded');
  }
  for (const menu of copy.querySelectorAll('[data-phone-menu]')) {
    menu.setAttribute('data-phone-menu', '');
    menu.querySelector('button')?.removeAttribute('autofocus');
  }
  return copy.outerHTML;
}

for (const { path, kind } of routes) {
  test(`${path} is silent, and the same without JavaScript${kind === 'interactive' ? ', before React and after' : ''}`, async () => {
    const without = await visit(path, { javaScriptEnabled: false });
    const plain = await without.page.evaluate(written);
    await without.close();
    const { page, said, close } = await visit(path);
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(written)).toBe(plain);
    if (kind === 'interactive') {
      await hydrated(page);
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate(written)).toBe(plain);
    }
    expect(said).toEqual([]);
    await close();
  });
}
