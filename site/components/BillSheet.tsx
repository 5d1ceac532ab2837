// The parts of all bills: the sheet, and its lines.
import type { ReactNode } from 'react';
import { billWords } from '#content/bill.ts';
import { pathOf } from '#content/features.ts';
import type { BillLine, Feature } from '#content/types.ts';
import { Receipt } from './Receipt.tsx';
import { Instead, Struck } from './Strike.tsx';
import styles from './Bill.module.css';

/** The bar of a line, in three SVGs, which browsers can move without repainting: the old, removed and remaining part. */
function LineBar({ line: { before, after }, longest, struck }: { readonly line: BillLine; readonly longest: number; readonly struck: boolean }) {
  const left = struck ? after : before;
  const parts = [...(struck ? ([[styles.ghost, before], [styles.gone, before]] as const) : []), [styles.left, left] as const];
  return (
    <span className={styles.bar}>
      {parts.map(([part, amount]) => (
        <svg key={part} className={part} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect width={(amount / longest) * 100} height="4" />
        </svg>
      ))}
    </span>
  );
}

/** The label of a line, which links to the page of its feature. That is never the page of the link, as `PageLink` would have to know. */
export function LinkedLabel({ feature, line }: { readonly feature: Feature; readonly line: BillLine }) {
  return (
    <a href={pathOf(feature)} className={styles.label}>
      {line.label}
      <span className="visually-hidden">: {feature.label}</span>
    </a>
  );
}

interface LineProps {
  readonly label: ReactNode;
  readonly line: BillLine;
  /** The largest amount of the bill. */
  readonly longest: number;
  readonly struck: boolean;
  /** Formats amounts. */
  readonly amount: (dollars: number) => string;
}

/** A line of the bill. Amounts with keys: only the changed ones are struck again. */
export function Line({ label, line, longest, struck, amount }: LineProps) {
  return (
    <li className={`${styles.line} ${struck ? '' : styles.quiet}`}>
      {label}
      <LineBar line={line} longest={longest} struck={struck} />
      {struck ? (
        <span className={styles.amounts}>
          <Struck key={line.before}>{amount(line.before)}</Struck> <Instead key={line.after}>{amount(line.after)}</Instead>
        </span>
      ) : (
        <span className={styles.due}>{amount(line.before)}</span>
      )}
    </li>
  );
}

interface SheetProps {
  /** The name under which the bill is carried to other pages, if it is. */
  readonly carried: string | undefined;
  /** The line below the title. */
  readonly period: string;
  readonly children: ReactNode;
}

/** The sheet of a bill, with its head and barcode. */
export function Sheet({ carried, period, children }: SheetProps) {
  return (
    <figure className={styles.figure} data-bill={carried}>
      <Receipt>
        <div className={styles.bill}>
          <p className={styles.head}>
            <strong>{billWords.title}</strong>
            <span>{period}</span>
          </p>
          {children}
          <div className={styles.barcode} />
        </div>
      </Receipt>
    </figure>
  );
}
