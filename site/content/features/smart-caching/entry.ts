// Smart caching in the menus, and as a line of the bill.
import { lineOf } from '../../bill.ts';
import type { Feature } from '../../types.ts';

/** Smart caching. */
export const smartCaching: Feature = {
  slug: 'smart-caching',
  label: 'Smart caching',
  line: lineOf['smart-caching'],
};
