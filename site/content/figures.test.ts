// The figures are those of the specification, and everything that is worked out from them adds up.
import { expect, test } from 'vitest';
import { billTotal } from './bill.ts';
import { features } from './features.ts';
import { page as caching } from './features/smart-caching/page.ts';
import { page as analytics } from './features/usage-analytics/page.ts';
import { cache, percent, prompt, promptCost, routed, routing } from './figures.ts';
import { money } from './money.ts';

const month = billTotal();
const numberIn = (text: string) => Number(text.replace(/[^\d.]/g, ''));
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

test('the sample prompt costs what the specification says', () => {
  expect([prompt.before, prompt.after, money(promptCost.before), money(promptCost.after)]).toEqual([147, 58, '$0.0294', '$0.0116']);
});

test('calls cost and take what the specification says', () => {
  expect([money(cache.first.dollars), money(cache.similar.dollars), cache.first.seconds, cache.similar.seconds]).toEqual(['$0.05', '$0', 2.3, 0.1]);
  expect([routing.small, routing.midsize, routing.large].map(money)).toEqual(['$0.002', '$0.015', '$0.03']);
});

test('money is written alike everywhere', () => {
  expect([0, 5040, 0.1 + 0.2, 1234567].map(money)).toEqual(['$0', '$5,040', '$0.30', '$1,234,567']);
});

test('the examples add up', () => {
  const { example: calls } = caching;
  const { example: dashboard } = analytics;
  if (calls.kind !== 'cache' || dashboard.kind !== 'dashboard') throw new Error('the examples changed places');
  expect([money(routed.before), money(routed.after)]).toEqual(['$0.09', '$0.047']);
  expect(money(sum(calls.calls.map(({ cost }) => numberIn(cost))))).toBe(calls.total.now);
  expect(sum(dashboard.teams.items.map(({ value }) => numberIn(value)))).toBe(month.after);
  expect(sum(dashboard.teams.items.map(({ share }) => share))).toBe(100);
  expect(sum(dashboard.models.items.map(({ share }) => share))).toBe(100);
  const months = dashboard.trend.months.map(({ value }) => value);
  expect([months[0], months.at(-1)]).toEqual([month.before, month.after]);
  expect(percent(month.saved, month.before)).toBe(40);
});

test('the sample hit rate lies where hit rates are said to lie', () => {
  const [from = 0, to = 0] = cache.hitRate.month.replace('%', '').split('-').map(Number);
  expect(cache.hitRate.sample >= from && cache.hitRate.sample <= to).toBe(true);
});

test('the lines of the four features are the bill', () => {
  expect(sum(features.map(({ line }) => billTotal([line]).saved))).toBe(month.saved);
});
