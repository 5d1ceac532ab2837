// The visitor's own bill: an amount at the rates of the sample bill, and its address, such as #bill=46000.
import { billLines, billTotal } from './bill.ts';
import { features } from './features.ts';
import { cap } from './figures.ts';
import type { BillLine } from './types.ts';

/** A monthly bill. `without` has the slugs of the features that would not shrink it. */
export interface Estimate {
  readonly amount: number;
  readonly without: readonly string[];
}

const key = 'bill';

/** The smallest and the largest bill, in dollars. */
export const limits = { least: 100, most: 10_000_000 } as const;

const { least, most } = limits;
const total = billTotal().before;

/** The sample bill itself. */
export const sample: Estimate = { amount: total, without: [] };

/** Returns the whole dollars of each part, so that their sum is that of all parts, rounded down. */
function wholeDollars(parts: readonly number[], amount: number): number[] {
  let sum = 0;
  return parts.map((part) => {
    const start = Math.floor((amount * sum) / total);
    sum += part;
    return Math.floor((amount * sum) / total) - start;
  });
}

/** Returns the savings of lines, reduced so that their sum is at most `percent` of the sum of the lines. */
export function capped(lines: readonly BillLine[], percent: number): readonly number[] {
  const { before, saved } = billTotal(lines);
  const rate = Math.min(1, (percent * before) / (100 * saved));
  return lines.map((line) => (line.before - line.after) * rate);
}

const savings = capped(features.map(({ line }) => line), cap);

/**
 * Returns the lines of a bill. Each is the same part of the amount as in the sample bill, and shrinks by the same rate. The sum
 * of the savings is rounded down, so it is never above the cap.
 */
export function linesOf({ amount, without }: Estimate): readonly BillLine[] {
  const before = wholeDollars(billLines.map((line) => line.before), amount);
  const saved = wholeDollars(features.map(({ slug }, index) => (without.includes(slug) ? 0 : (savings[index] ?? 0))), amount);
  return billLines.map(({ label }, index) => ({ label, before: before[index] ?? 0, after: (before[index] ?? 0) - (saved[index] ?? 0) }));
}

/** Returns the next amount up or down: a tenth of its power of ten. */
export function stepped(amount: number, direction: 1 | -1): number {
  const from = direction === 1 ? amount : amount - 1;
  const step = 10 ** Math.floor(Math.log10(Math.max(from, least)) - 1);
  const next = direction === 1 ? (Math.floor(amount / step) + 1) * step : (Math.ceil(amount / step) - 1) * step;
  return Math.min(Math.max(next, least), most);
}

/** Returns the fragment of a bill. */
export function addressOf({ amount, without }: Estimate): string {
  return `#${key}=${amount}${without.length > 0 ? `&without=${without.join('+')}` : ''}`;
}

/** An amount as people write it: 46000, 46,000, $46k, 4.6k, 1.5m. */
const written = /^\$?([1-9]\d{0,2}(?:[,’'\s]\d{3})+|[1-9]\d*)(\.\d{1,3})?([km])?$/i;
const scales: Readonly<Record<string, number>> = { '': 1, k: 1000, m: 1_000_000 };

/** Returns whole dollars, or nothing if the text is no amount within the limits. Only an amount with a scale has decimals. */
function dollarsIn(text: string): number | undefined {
  const [, whole = '', decimals = '', scale = ''] = written.exec(text.trim()) ?? [];
  if (decimals !== '' && scale === '') return undefined;
  const amount = Math.round(Number(whole.replaceAll(/\D/g, '') + decimals) * (scales[scale.toLowerCase()] ?? 1));
  return amount >= least && amount <= most ? amount : undefined;
}

/** Returns the bill of a fragment. `unclear` if its amount or its features cannot be read, and nothing if it has no amount. */
export function estimateIn(fragment: string): Estimate | 'unclear' | undefined {
  const words = new URLSearchParams(fragment.slice(1));
  const text = words.get(key) ?? '';
  if (text === '') return undefined;
  const amount = dollarsIn(text);
  // Some programs encode the + of an address that they send.
  const named = (words.get('without') ?? '').split(/[\s+]+/).filter(Boolean);
  const without = features.map(({ slug }) => slug).filter((slug) => named.includes(slug));
  return amount === undefined || without.length < named.length ? 'unclear' : { amount, without };
}
