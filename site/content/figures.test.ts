// The figures are those of the specification, and everything that is worked out from them adds up.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { billTotal } from './bill.ts';
import { featureCards } from './feature-cards.ts';
import { features } from './features.ts';
import { page as lanes } from './features/model-routing/page.ts';
import { page as prompting } from './features/prompt-optimization/page.ts';
import { page as caching } from './features/smart-caching/page.ts';
import { page as analytics } from './features/usage-analytics/page.ts';
import { home } from './pages/home.ts';
import { cache, claims, prompt, promptCost, routed, routing } from './figures.ts';
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

test('the claims are those of the specification', () => {
  expect(claims).toEqual({ savings: 'Up to 40%', setup: '2 minutes', loss: '0%' });
});

test('money is written alike everywhere', () => {
  expect([0, 5040, 0.1 + 0.2, 1234567].map(money)).toEqual(['$0', '$5,040', '$0.30', '$1,234,567']);
});

test('the examples add up', () => {
  const { example: calls } = caching;
  const { example: dashboard } = analytics;
  if (calls.kind !== 'cache' || dashboard.kind !== 'dashboard') throw new Error('the examples changed places');
  expect([money(routed.before), money(routed.after)]).toEqual(['$0.09', '$0.047']);
  for (const [index, choice] of calls.threshold.choices.entries()) {
    for (const column of ['time', 'cost'] as const) {
      const each = calls.calls.map(({ reusedFrom }) => numberIn((reusedFrom <= index ? calls.reused : calls.paid)[column]));
      expect(sum(each), choice.name).toBeCloseTo(numberIn(choice[column]), 6);
      expect(each.length * numberIn(calls.paid[column])).toBeCloseTo(numberIn(calls.without[column]), 6);
    }
  }
  expect(dashboard.tabs.labels).toEqual(['Team', 'Project', 'User']);
  expect(dashboard.splits.map(({ label }) => label)).toEqual(dashboard.tabs.labels.map((tab) => `Spending by ${tab.toLowerCase()}`));
  for (const { items } of dashboard.splits) {
    expect(sum(items.map(({ value }) => numberIn(value)))).toBe(month.after);
    expect(sum(items.map(({ share }) => share))).toBe(100);
  }
  expect(sum(dashboard.models.items.map(({ share }) => share))).toBe(100);
  const months = dashboard.spend.months.map(({ value }) => value);
  expect([months[0], months.at(-1)], '`months` and the lines of content/bill.ts').toEqual([month.before, month.after]);
});

test('the sum of the routing example follows its threshold, and is that of the case study at first', () => {
  if (lanes.example.kind !== 'routing') throw new Error('the examples changed places');
  const { models, threshold, total } = lanes.example;
  const sums = threshold.choices.map((choice) => sum(choice.models.map((model) => numberIn(models[model]?.cost ?? ''))));
  for (const [index, { result }] of threshold.choices.entries()) expect(numberIn(result)).toBeCloseTo(sums[index] ?? 0, 6);
  expect(threshold.choices.map(({ result }) => result)).toEqual(['$0.019', '$0.047', '$0.075']);
  expect([total.was, threshold.choices[threshold.start]?.result]).toEqual(['$0.09', money(routed.after)]);
});

test('the lines of the sample prompt add up to its tokens, before and after', () => {
  if (prompting.example.kind !== 'prompt') throw new Error('the examples changed places');
  const { parts, sums } = prompting.example;
  const before = sum(parts.map(({ tokens }) => tokens));
  const after = sum(parts.filter(({ struck }) => !struck).map(({ tokens }) => tokens));
  expect([before, after]).toEqual([147, 58]);
  expect(sums[0]).toMatchObject({ was: '147', now: '58' });
});

test('the sample prompt is the text whose tokens were counted', () => {
  if (prompting.example.kind !== 'prompt') throw new Error('the examples changed places');
  const { parts } = prompting.example;
  const hash = createHash('sha256').update(parts.map(({ text, struck, tokens }) => `${tokens} ${struck} ${text}`).join('\n')).digest('hex');
  // After a change of the prompt, count the tokens again: encode(' ' + line).length for each line but the first, by gpt-tokenizer/encoding/o200k_base and cl100k_base.
  expect(hash.slice(0, 16)).toBe('812a0683ca0639ca');
});

test('the sample request of the home page is the beginning of the sample prompt', () => {
  if (prompting.example.kind !== 'prompt') throw new Error('the examples changed places');
  const request = home.how.desk.requests[0]?.text.replace(/^“|…”$/g, '') ?? '';
  expect(request.length).toBeGreaterThan(40);
  expect(prompting.example.parts[0]?.text.startsWith(request)).toBe(true);
  const { drawing } = featureCards['prompt-optimization'];
  const struck = drawing.kind === 'words' ? drawing.parts : [];
  expect(struck.length).toBeGreaterThan(0);
  for (const { text, struck: gone } of struck) expect(prompting.example.parts.some((part) => part.struck === gone && part.text.startsWith(text.replace('…', '')))).toBe(true);
});

test('the forgotten test costs less than its line of the bill, and its budget saves what the line saves', () => {
  const [before = 0, after = 0] = analytics.content.caseStudy.paragraphs.flatMap((text) => (text.match(/\$[\d,]+/g) ?? []).map(numberIn));
  const line = billTotal([features[3]?.line ?? { label: '', before: 0, after: 0 }]);
  expect(before).toBeCloseTo((30 * 24 * 60 * routing.large) / 4, 6);
  expect(before).toBeLessThan(line.before);
  expect(before - after, 'the line of usage analytics in content/bill.ts').toBe(line.saved);
});

test('the sample hit rate lies where hit rates are said to lie', () => {
  const [from = 0, to = 0] = cache.hitRate.month.replace('%', '').split('–').map(Number);
  expect(cache.hitRate.sample >= from && cache.hitRate.sample <= to).toBe(true);
});

test('the lines of the four features are the bill', () => {
  expect(sum(features.map(({ line }) => billTotal([line]).saved))).toBe(month.saved);
});
