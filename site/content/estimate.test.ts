// Tests the visitor's own bill: its rates, its steps and its address.
import { expect, test } from 'vitest';
import { billLines, billTotal } from './bill.ts';
import { addressOf, capped, estimateIn, linesOf, sample, stepped } from './estimate.ts';

test('the sample amount is the sample bill', () => {
  expect(linesOf(sample)).toEqual(billLines);
});

test('every bill adds up, has the rates of the sample bill, and saves at most 40%', () => {
  const amounts = Array.from({ length: 2000 }, (_, index) => 100 + index * 71).concat(46_000, 100_000, 9_999_999, 10_000_000);
  for (const amount of amounts) {
    const lines = linesOf({ amount, without: [] });
    const { before, saved } = billTotal(lines);
    expect([before, saved]).toEqual([amount, Math.floor((amount * 4) / 10)]);
    for (const [index, line] of lines.entries()) {
      const { before: was = 1, after: now = 0 } = billLines[index] ?? {};
      // Rounding moves at most a dollar from line to line.
      expect(Math.abs(line.before - line.after - (line.before * (was - now)) / was)).toBeLessThan(2);
      expect(line.after).toBeLessThanOrEqual(line.before);
    }
  }
});

const savedAt = (percent: number) => Math.round(capped(billLines, percent).reduce((all, one) => all + one, 0));

test('a bill that saves more than the cap is reduced to it, and one that saves less is not', () => {
  expect([35, 40, 50].map(savedAt)).toEqual([2940, 3360, 3360]);
});

test('a line that does not sound like the visitor keeps its amount', () => {
  const lines = linesOf({ amount: 8400, without: ['smart-caching'] });
  expect(lines.map(({ before, after }) => before - after)).toEqual([910, 0, 1200, 300]);
});

test('steps are a tenth of the power of ten, and stay within limits', () => {
  expect([8400, 46_000, 99_000, 100_000, 999, 10_000_000].map((amount) => stepped(amount, 1))).toEqual([8500, 47_000, 100_000, 110_000, 1000, 10_000_000]);
  expect([8400, 46_000, 100_000, 1000, 100, 8450].map((amount) => stepped(amount, -1))).toEqual([8300, 45_000, 99_000, 990, 100, 8400]);
});

test('the address holds the bill, and nonsense is no bill', () => {
  expect(addressOf({ amount: 46_000, without: [] })).toBe('#bill=46000');
  const odd = { amount: 5000, without: ['smart-caching', 'usage-analytics'] };
  expect(addressOf(odd)).toBe('#bill=5000&without=smart-caching+usage-analytics');
  expect(estimateIn(addressOf(odd))).toEqual(odd);
  for (const fragment of ['', '#', '#benefits', '#bill', '#bill=']) expect(estimateIn(fragment), fragment).toBeUndefined();
  for (const amount of ['abc', '-5', '1e99', '99', '4.5', '<b>', '46.000', '4,60', '46,0000', ',100', '$', 'k', '0.5k', '05000', '46kk', '46 k9', '10,000,001', '11m', '0x2710', 'NaN', '4.6789k']) {
    expect(estimateIn(`#bill=${amount}`), amount).toBe('unclear');
  }
  expect(estimateIn('#bill=5000&without=')).toEqual({ amount: 5000, without: [] });
  // Without these features, the bill would show larger savings than the sender saw.
  for (const without of ['nothing', 'smart-caching+nothing', 'smart-caching,usage-analytics']) expect(estimateIn(`#bill=5000&without=${without}`), without).toBe('unclear');
  for (const plus of ['%2B', '%20', '%2b']) expect(estimateIn(`#bill=5000&without=smart-caching${plus}usage-analytics`), plus).toEqual(odd);
});

test('an amount may be written as people write it', () => {
  const written = { '46,000': 46_000, '46k': 46_000, '46K': 46_000, '$46,000': 46_000, '$46k': 46_000, '46%2C000': 46_000, '46 000': 46_000, '46%20000': 46_000, '46+000': 46_000, '46’000': 46_000, '12,340': 12_340, '12.34k': 12_340, '1.5m': 1_500_000, '10,000,000': 10_000_000, '10m': 10_000_000, '100': 100, '0100': undefined, '1,234,567': 1_234_567 };
  for (const [text, amount] of Object.entries(written)) expect(estimateIn(`#bill=${text}`), text).toEqual(amount === undefined ? 'unclear' : { amount, without: [] });
});
