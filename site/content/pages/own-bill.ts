// The words of the visitor's own bill.
import { limits, sample } from '../estimate.ts';
import { cap } from '../figures.ts';
import { money } from '../money.ts';
import type { OwnBillContent, OwnBillFrame } from '../interactive-types.ts';

/** The words around it, which are in no island. */
export const aroundOwnBill: OwnBillFrame = {
  label: 'Benefits',
  title: 'What did AI cost you last month?',
  note: `At the rates of our sample bill, so never more than ${cap}% less. It is worked out in your browser, and nothing is sent to us.`,
  links: [
    { label: 'What our figures mean', href: '/terms#marketing-figures' },
    { label: 'What your browser keeps', href: '/privacy#cookies' },
  ],
};

/** Its buttons and results, in the opening and in Benefits. */
export const ownBill: OwnBillContent = {
  print: 'Not your month? Print yours:',
  amounts: 'Your AI bill of last month',
  choices: [1000, 5000, sample.amount, 20_000, 50_000, 100_000],
  nearer: 'Nearer to your amount',
  less: 'Less',
  more: 'More',
  sounds: 'Which of these sound like you?',
  habits: {
    'prompt-optimization': 'Our prompts grew, and nobody cut them',
    'smart-caching': 'Users ask us the same things all day',
    'model-routing': 'One big model does everything',
    'usage-analytics': 'No team knows what it spends',
  },
  sentence: (before, after, year) => `Instead of ${before}, you would pay ${after}. In a year, you would keep ${year}.`,
  nothing: (before) => `If none of these sounds like you, you would still pay ${before}: we would find nothing to strike.`,
  call: (year) => `Book a call about these ${year}`,
  callAnyway: 'Book a Demo Call',
  fee: 'Before our fee, which you hear on the call.',
  sent: 'Someone sent you this estimate. It uses sample rates.',
  unclear: `We did not understand this link, so this is our sample month. Amounts from ${money(limits.least)} to ${money(limits.most)} work, such as 46000 or 46k.`,
  pageTitle: (before, after) => `An AI bill of ${before} becomes ${after}`,
  copy: { label: 'Copy the link to this bill', share: 'Share the link to this bill', done: 'Link copied', failed: 'Copy the address of this page' },
};
