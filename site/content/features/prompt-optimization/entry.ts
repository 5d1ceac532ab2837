// Prompt optimization in the menus, and as a line of the bill.
import { lineOf } from '../../bill.ts';
import type { Feature } from '../../types.ts';

/** Prompt optimization. */
export const promptOptimization: Feature = {
  slug: 'prompt-optimization',
  label: 'Prompt optimization',
  line: lineOf['prompt-optimization'],
};
