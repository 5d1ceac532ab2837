// The example on the share image of each page: lines of a receipt, and what became of its total.
import { billLines, billTotal, billWords, months } from './bill.ts';
import { answered, promptCost, routed, routing } from './figures.ts';
import { modelRouting } from './features/model-routing/entry.ts';
import { promptOptimization } from './features/prompt-optimization/entry.ts';
import { smartCaching } from './features/smart-caching/entry.ts';
import { usageAnalytics } from './features/usage-analytics/entry.ts';
import { money } from './money.ts';

/** A line: words, and an amount, of which one or the other may be struck. */
export interface ShareLine {
  readonly text: string;
  readonly struck?: boolean;
  readonly was?: string;
  readonly now?: string;
}

/** A receipt. `bars` are amounts of months, drawn instead of lines. */
export interface ShareExample {
  readonly title: string;
  readonly lines: readonly ShareLine[];
  readonly bars?: readonly number[];
  /** The words next to the amounts, if they are not the total of the lines. */
  readonly label?: string;
  readonly was: string;
  readonly now: string;
}

const total = billTotal();
const bill = { was: money(total.before), now: money(total.after) };
const costs = (before: number, after: number) => ({ was: money(before), now: money(after) });

/** The examples by the path of the page. Legal texts have none. */
export const shareExamples: Readonly<Record<string, ShareExample>> = {
  '/': {
    title: billWords.title,
    lines: billLines.map(({ label, before, after }) => ({ text: label, was: money(before), now: money(after) })),
    ...bill,
  },
  [`/${promptOptimization.slug}`]: {
    title: 'One sample prompt',
    lines: [
      { text: 'Hello! I hope that you are', struck: true },
      { text: 'doing well today. I would', struck: true },
      { text: 'Summarize the customer email' },
      { text: 'Thank you so much in advance', struck: true },
    ],
    ...costs(promptCost.before, promptCost.after),
  },
  [`/${smartCaching.slug}`]: {
    title: 'Three sample questions',
    lines: [
      { text: 'How do I reset my password?', now: money(answered(1, 0).dollars) },
      { text: 'I forgot my password…', now: money(answered(0, 1).dollars) },
      { text: 'pasword reset??', now: money(answered(0, 1).dollars) },
    ],
    ...costs(answered(3, 0).dollars, answered(1, 2).dollars),
  },
  [`/${modelRouting.slug}`]: {
    title: 'Three sample tasks',
    lines: [
      { text: 'Simple', was: money(routing.large), now: money(routing.small) },
      { text: 'Medium', was: money(routing.large), now: money(routing.midsize) },
      { text: 'Complex', now: money(routing.large) },
    ],
    ...costs(routed.before, routed.after),
  },
  [`/${usageAnalytics.slug}`]: { title: 'Six sample months', lines: [], bars: months, label: 'Sixth month', ...bill },
};
