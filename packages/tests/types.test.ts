// The types are those of the schemas, and the plugins are what their tools take.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectTypeOf, test } from 'vitest';
import type { Plugin } from 'vite';
import { declarations, types } from '../../scripts/packages/types.mjs';
import type { Contract, Report } from '../sitegate/index.js';
import sitegate from '../sitegate/vite.js';
import { root } from './folder.ts';

const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');

test.each(Object.entries(types))('%s is made from its schema', (file, [schema, title, about]) => {
  const made = declarations(JSON.parse(read(schema)) as object, title, about);
  expect(read('packages', 'sitegate', file), '`npm run package -- --types` writes it anew').toBe(made);
});

test('types say what is there', () => {
  expectTypeOf<Report['findings'][number]['severity']>().toEqualTypeOf<'error' | 'warning'>();
  expectTypeOf<Report['findings'][number]['url']>().toEqualTypeOf<string | null>();
  expectTypeOf<NonNullable<Contract['site']>['trailing-slash']>().toEqualTypeOf<'redirect' | 'never' | undefined>();
  expectTypeOf(sitegate()).toExtend<Plugin>();
});

test('a schema that no type is known for is refused', () => {
  expect(() => declarations({ type: 'object', properties: { a: { not: {} } } }, 'X', 'x')).toThrow(/no type is known/u);
});
