// React leaves main as the document brought it, so what stands there must need no script: it has no state, no effects and no handlers.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const site = fileURLToPath(new URL('..', import.meta.url));

/** A file and all components that it is made of. */
function madeOf(...roots: string[]): readonly string[] {
  const files = new Set(roots.map((root) => resolve(site, root)));
  for (const file of files) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/from '([#.][^']+\.tsx)'/g)) {
      files.add(name.startsWith('#') ? resolve(site, name.slice(1)) : resolve(dirname(file), name));
    }
  }
  return [...files];
}

/** What only React could bring to life. Links ask where they stand, and hand on what a menu does when one is chosen. */
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
