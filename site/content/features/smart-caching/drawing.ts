// The drawing of the feature's card and of its first benefit.
import { cache } from '../../figures.ts';
import { money } from '../../money.ts';
import type { CardDrawing } from '../../types.ts';

/** The drawing. */
export const drawing: CardDrawing = {
  kind: 'prices',
  rows: [
    { text: 'How do I reset my password?', price: money(cache.first.dollars) },
    { text: 'I forgot my password, what now?', price: money(cache.similar.dollars) },
    { text: 'pasword reset??', price: money(cache.similar.dollars) },
  ],
};
