// The sample bill that runs through the site: the hero shows all of it, each feature page strikes one line.

/** One line of the sample bill: what it cost before and after, in whole dollars. */
export interface BillLine {
  readonly label: string;
  readonly before: number;
  readonly after: number;
}

/** The line of each feature by its slug, in the order of the bill. */
export const lineOf = {
  'prompt-optimization': { label: 'Wordy prompts', before: 2600, after: 1690 },
  'smart-caching': { label: 'Repeated questions', before: 1900, after: 950 },
  'model-routing': { label: 'Big models, small tasks', before: 2700, after: 1500 },
  'usage-analytics': { label: 'Spend nobody watched', before: 1200, after: 900 },
} as const satisfies Record<string, BillLine>;

/** The name of a feature in addresses. */
export type Slug = keyof typeof lineOf;

/** All lines. */
export const billLines: readonly BillLine[] = Object.values(lineOf);

/** The totals of six months: before, the first full month, in which the cache is still filling, and then. */
export const months = [8400, 5800, 5040, 5040, 5040, 5040] as const;

/** The words around the lines. */
export const billWords = {
  title: 'AI usage bill',
  period: 'One sample month',
  own: 'One month like yours',
  year: 'In a year',
  before: 'Was',
  after: 'Now',
  total: 'Total',
  saved: 'You keep',
} as const;

/** The total before and after, the savings, and their share in whole per cent. */
export function billTotal(lines: readonly BillLine[] = billLines): { before: number; after: number; saved: number; percent: number } {
  const before = lines.reduce((sum, line) => sum + line.before, 0);
  const after = lines.reduce((sum, line) => sum + line.after, 0);
  return { before, after, saved: before - after, percent: Math.round(((before - after) / before) * 100) };
}
