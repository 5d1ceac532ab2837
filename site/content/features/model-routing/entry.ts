// Model routing in the menus, and as a line of the bill.
import { lineOf } from '../../bill.ts';
import type { Feature } from '../../types.ts';

/** Model routing. */
export const modelRouting: Feature = {
  slug: 'model-routing',
  label: 'Model routing',
  line: lineOf['model-routing'],
};
