// Smart caching as the rest of the site shows it: in menus and search results, on its card, and as a line of the bill.
import { lineOf } from '../../bill.ts';
import type { Feature } from '../../types.ts';
import { drawing } from './drawing.ts';

/** Smart caching. */
export const smartCaching: Feature = {
  slug: 'smart-caching',
  label: 'Smart caching',
  title: 'Smart caching: pay for an answer once',
  description: 'Pay for an answer once. Duplicate and similar questions are answered from the cache, at no cost and in about a tenth of a second.',
  menuText: 'Pay for an answer once',
  line: lineOf.smartCaching,
  card: {
    text: 'Reuses answers for duplicate or similar queries, so that a question asked a hundred times is paid for once.',
    link: 'See what a repeat costs',
    drawing,
  },
  page: async () => (await import('./page.ts')).page,
};
