// Tests the examples of share images: one for each page with a bill or a feature, with the figures of the site.
import { expect, test } from 'vitest';
import { interactiveRoutes } from './routes.ts';
import { shareExamples } from './share-examples.ts';

/** The amount in hundredths of a cent. */
const amountIn = (text: string) => Math.round(Number(text.replaceAll(/[$,]/g, '')) * 10_000);

test('each interactive page has an example of its own, whose lines add up', () => {
  expect(Object.keys(shareExamples).toSorted()).toEqual(interactiveRoutes.map(({ path }) => path).toSorted());
  const all = Object.values(shareExamples);
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
  for (const { title, lines, now } of all) {
    const costs = lines.flatMap((line) => (line.now === undefined ? [] : [amountIn(line.now)]));
    if (costs.length > 0) expect(costs.reduce((sum, cost) => sum + cost, 0), title).toBe(amountIn(now));
  }
});

test('the amounts of months are those of a month, and not a total', () => {
  for (const { bars, label, was, now } of Object.values(shareExamples).filter((example) => example.bars !== undefined)) {
    expect(label).toBe('Sixth month');
    expect([was, now].map((text) => amountIn(text) / 10_000)).toEqual([bars?.[0], bars?.[5]]);
  }
});

test('the totals are those of the specification and of the sample bill', () => {
  expect(Object.values(shareExamples).map(({ was, now }) => `${was} ${now}`)).toEqual(['$8,400 $5,040', '$0.0294 $0.0116', '$0.15 $0.05', '$0.09 $0.047', '$8,400 $5,040']);
});
