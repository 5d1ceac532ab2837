// Smart caching in the Features menu, in the Features menu, on its card of the home page, and in search results.
import type { FeatureCard } from '../../types.ts';
import { drawing } from './drawing.ts';

/** The card. */
export const card: FeatureCard = {
  menuText: 'Pay for an answer once',
  title: 'Smart caching: pay for an answer once',
  description: 'Pay for an answer once. Duplicate and similar questions are answered from the cache, at no cost and in about a tenth of a second.',
  text: 'Reuses answers for duplicate or similar queries, so that a question asked a hundred times is paid for once.',
  link: 'See what a repeat costs',
  drawing,
};
