// The comparison of the smart caching page.
import { answered, cache, percent } from '../../figures.ts';
import { money } from '../../money.ts';
import type { Answer, CacheExampleContent } from '../../threshold-types.ts';

const seconds = (time: number): string => `${time.toFixed(1)} s`;
const sums = ({ dollars, seconds: time }: ReturnType<typeof answered>) => ({ time: seconds(time), cost: money(dollars) });
const paid: Answer = { source: 'From the model', ...sums(answered(1, 0)), cached: false, share: 100 };
const reused: Answer = { source: 'From the cache', ...sums(answered(0, 1)), cached: true, share: percent(cache.similar.seconds, cache.first.seconds) };

/** Each call is answered from the cache from a choice of the threshold on; the first one never is. */
const calls = [
  { label: 'First call', question: 'How do I reset my password?', reusedFrom: 3 },
  { label: 'A typo', question: 'reset my pasword??', reusedFrom: 0 },
  { label: 'Other words', question: 'I forgot my password, what now?', reusedFrom: 1 },
  { label: 'Looks alike', question: 'How do I reset my username?', reusedFrom: 2 },
] as const;

/** A choice of the threshold, with the sums of its calls. */
function similarity(name: string, index: number, note: string) {
  const fromCache = calls.filter(({ reusedFrom }) => reusedFrom <= index).length;
  const { time, cost } = sums(answered(calls.length - fromCache, fromCache));
  return { name, result: cost, note, time, cost };
}

/** Four calls, by the similarity of their questions. */
export const example: CacheExampleContent = {
  kind: 'cache',
  caption: 'What four calls take and cost',
  columns: { call: 'Call', time: 'Response time', cost: 'Cost' },
  threshold: {
    label: 'How similar must two questions be?',
    start: 1,
    choices: [
      similarity('Strict', 0, 'The words must be the same, except for typos. Other words for the same question are paid for again.'),
      similarity('Usual', 1, 'The meaning must be the same, in any words. A question that only looks alike goes to the model.'),
      similarity('Generous', 2, 'A question that only looks alike gets the stored answer, too. That suits topics for which a general answer will do.'),
    ],
  },
  paid,
  reused,
  calls,
  without: { label: 'Without the cache', ...sums(answered(calls.length, 0)) },
  with: 'With it',
};
