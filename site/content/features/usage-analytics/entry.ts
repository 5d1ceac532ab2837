// Usage analytics in the menus, and as a line of the bill.
import { lineOf } from '../../bill.ts';
import type { Feature } from '../../types.ts';

/** Usage analytics. */
export const usageAnalytics: Feature = {
  slug: 'usage-analytics',
  label: 'Usage analytics',
  line: lineOf['usage-analytics'],
};
