// The sample bill that runs through the site: the hero shows all of it, each feature page strikes one line.
import { features } from './features.ts';
import type { BillLine } from './types.ts';

/** The lines, one for each feature. */
export const billLines: readonly BillLine[] = features.map(({ line }) => line);

/** The words around the lines. */
export const billWords = {
  title: 'AI usage bill',
  period: 'One sample month',
  before: 'Was',
  after: 'Now',
  total: 'Total',
  saved: 'You keep',
} as const;

/** What the lines add up to before and after, what is saved, and its share in whole per cent. */
export function billTotal(lines: readonly BillLine[] = billLines): { before: number; after: number; saved: number; percent: number } {
  const before = lines.reduce((sum, line) => sum + line.before, 0);
  const after = lines.reduce((sum, line) => sum + line.after, 0);
  return { before, after, saved: before - after, percent: Math.round(((before - after) / before) * 100) };
}

/** Dollars as a bill writes them: 8400 is $8,400.00. No locale of the building machine is asked. */
export function dollars(amount: number): string {
  const [whole = '0', cents = '00'] = amount.toFixed(2).split('.');
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`;
}
