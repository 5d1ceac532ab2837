// Tests that the scripts which install the packages of a fresh clone need none of them.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './folder.ts';

/** Returns the packages that a script imports before its first line runs, itself or by the scripts that it imports. */
function packagesOf(script: string, seen: Set<string>): string[] {
  if (seen.has(script)) return [];
  seen.add(script);
  const imports = readFileSync(script, 'utf8').matchAll(/^(?:import|export) (?:[^;]*? from )?'([^']+)';$/gmu);
  return [...imports].flatMap(([, name = '']) => {
    if (name.startsWith('.')) return packagesOf(join(dirname(script), name), seen);
    return name.startsWith('node:') ? [] : [`${script}: ${name}`];
  });
}

test.each(['build', 'install', 'lint', 'release', 'test'])('scripts/%s.mjs needs no package before it installs them', (name) => {
  const seen = new Set<string>();
  expect(packagesOf(join(root, 'scripts', `${name}.mjs`), seen)).toEqual([]);
  expect(seen.size).toBeGreaterThan(0);
});
