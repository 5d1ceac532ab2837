// Tests that main needs no script: React keeps it as in the document, so it must have no state, effects or handlers.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const site = fileURLToPath(new URL('..', import.meta.url));

/** Returns a file and all components that it uses. */
function madeOf(...roots: string[]): readonly string[] {
  const files = new Set(roots.map((root) => resolve(site, root)));
  for (const file of files) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/from '([#.][^']+\.tsx)'/g)) {
      files.add(name.startsWith('#') ? resolve(site, name.slice(1)) : resolve(dirname(file), name));
    }
  }
  return [...files];
}

/** Code that only works with React. Links are allowed to read the location and to call the handler of a menu. */
const alive = (files: readonly string[]): string[] =>
  files.flatMap((file) => (readFileSync(file, 'utf8').match(/\buse(?!Location\b)[A-Z]\w*\(|\son[A-Z]\w*=\{(?!onChoose\})[^}]*\}/g) ?? []).map((found) => `${file.slice(site.length)}: ${found.trim()}`));

test('what stands in main needs no script', () => {
  const files = madeOf('pages/interactive/Home.tsx', 'layouts/FeatureLayout.tsx', 'components/DemoBar.tsx');
  expect(files.length).toBeGreaterThan(25);
  expect(alive(files)).toEqual([]);
});

test('what does need one is noticed', () => {
  expect(alive(madeOf('components/Header.tsx')).length).toBeGreaterThan(5);
});
