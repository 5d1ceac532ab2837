// The sample bill adds up, and saves what the site claims.
import { expect, test } from 'vitest';
import { billLines, billTotal, months } from './bill.ts';
import { cap } from './figures.ts';
import { features } from './features.ts';
import { dollars } from './money.ts';

test('the bill drops by the 40% that is advertised', () => {
  expect(billTotal(), 'the lines of content/bill.ts').toEqual({ before: 8400, after: 5040, saved: 3360, percent: 40 });
  expect(cap, '`cap` of content/figures.ts is what the lines of content/bill.ts save').toBe(billTotal().percent);
});

test('the months start and end with the totals of the bill', () => {
  expect([months[0], months.at(-1)], '`months` of content/bill.ts').toEqual([8400, 5040]);
});

test('each feature strikes one line of its own', () => {
  expect(new Set(billLines.map(({ label }) => label)).size).toBe(features.length);
  expect(features.map(({ line }) => line)).toEqual(billLines);
});

test('dollars are written alike everywhere', () => {
  expect([0, 5, 1690, 1234567.5].map(dollars)).toEqual(['$0.00', '$5.00', '$1,690.00', '$1,234,567.50']);
});
