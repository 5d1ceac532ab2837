// Every figure that appears in more than one sentence. Sums, shares and costs are computed from these; a test checks them.

import type { CardDrawing } from './types.ts';

/** The most that the service saves, in per cent: in the claims, in the terms, and in the visitor's own bill. */
export const cap = 40;

/** The claims about the whole service. */
export const claims = { savings: `Up to ${cap}%`, setup: '2 minutes', loss: '0%' } as const;

/** A part of a whole in whole per cent. */
export const percent = (part: number, whole: number): number => Math.round((part / whole) * 100);

/**
 * The sample prompt. Tokens were counted by the package gpt-tokenizer 4.0.0 in the encodings o200k_base and cl100k_base, which agree on each of its
 * lines (with the space before it) and on both of its texts.
 */
export const prompt = { before: 147, after: 58, dollarsPerToken: 0.0002, typical: '30–50%', wellWritten: '20–30%' } as const;

/** The cost of the sample prompt before and after. */
export const promptCost = { before: prompt.before * prompt.dollarsPerToken, after: prompt.after * prompt.dollarsPerToken } as const;

/** A call that is paid for, and those that the cache answers. */
export const cache = {
  first: { dollars: 0.05, seconds: 2.3 },
  similar: { dollars: 0, seconds: 0.1 },
  hitRate: { month: '40–70%', repetitive: '60–80%', sample: 52 },
} as const;

/** The cost and duration of calls: some answered by the model, and the others from the cache. */
export const answered = (byModel: number, fromCache: number): { dollars: number; seconds: number } => ({
  dollars: byModel * cache.first.dollars + fromCache * cache.similar.dollars,
  seconds: byModel * cache.first.seconds + fromCache * cache.similar.seconds,
});

/** The cost of a call to each of the three models, in dollars. */
export const routing = { small: 0.002, midsize: 0.015, large: 0.03, savings: '30–60%' } as const;

/** The cost of the three sample tasks if the large model does all of them, and if each goes to the model that fits it. */
export const routed = { before: 3 * routing.large, after: routing.small + routing.midsize + routing.large } as const;

/** Draws a range of savings, such as 30–50%, on a scale of 100. */
export function range(text: string, value: string): CardDrawing {
  const [from = 0, to = 0] = value.replace('%', '').split('–').map(Number);
  return { kind: 'parts', rows: [{ text, value, from, share: to - from, saved: true }] };
}
