// Tests that the types match the schemas, and that the plugins match the types of their tools.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectTypeOf, test } from 'vitest';
import type { Plugin } from 'vite';
import { declarations, types } from '../../scripts/packages/types.mjs';
import type { CheckReport, Contract, Report } from '../sitegate/index.js';
import sitegate from '../sitegate/vite.js';
import { root } from './folder.ts';

const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');

test.each(Object.entries(types))('%s is generated from its schema', (file, [schema, title, about]) => {
  const made = declarations(JSON.parse(read(schema)) as object, title, about);
  expect(read('packages', 'sitegate', file), '`npm run package -- --types` updates it').toBe(made);
});

test('types match the report, the contract and the plugins', () => {
  expectTypeOf<Report['findings'][number]['severity']>().toEqualTypeOf<'error' | 'warning'>();
  expectTypeOf<Report['findings'][number]['url']>().toEqualTypeOf<string | null>();
  expectTypeOf<NonNullable<Contract['site']>['trailing-slash']>().toEqualTypeOf<'redirect' | 'never' | undefined>();
  type Found = CheckReport['findings'][number];
  expectTypeOf<'broken-link'>().toExtend<Found['rule']>();
  expectTypeOf<'broken-lnik'>().not.toExtend<Found['rule']>();
  expectTypeOf<Found['rule_url']>().toEqualTypeOf<string | undefined>();
  expectTypeOf(sitegate()).toExtend<Plugin>();
});

test('rejects an unsupported schema', () => {
  expect(() => declarations({ type: 'object', properties: { a: { not: {} } } }, 'X', 'x')).toThrow(/no type is known/u);
});
