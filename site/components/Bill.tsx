// The sample bill of all pages. The home page strikes all its lines, a feature page only its own. Each line links to its page.
import { billLines, billTotal, billWords } from '#content/bill.ts';
import { features, pathOf } from '#content/features.ts';
import { dollars, money } from '#content/money.ts';
import type { BillLine, Feature } from '#content/types.ts';
import { Circled } from './Circled.tsx';
import { PageLink } from './PageLink.tsx';
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

interface LineProps {
  readonly feature: Feature;
  readonly line: BillLine;
  /** The largest amount of the bill. */
  readonly longest: number;
  readonly struck: boolean;
  /** Whether the bill is on the page of the feature. */
  readonly here: boolean;
  /** Formats amounts. */
  readonly amount: (dollars: number) => string;
}

/** A line of the bill. It links to the page of its feature, unless it is on that page. Amounts with keys: only the changed ones are struck again. */
function Line({ feature, line, longest, struck, here, amount }: LineProps) {
  return (
    <li className={`${styles.line} ${struck ? '' : styles.quiet}`}>
      {here ? (
        <strong className={styles.label}>{line.label}</strong>
      ) : (
        <PageLink to={pathOf(feature)} className={styles.label}>
          {line.label}
          <span className="visually-hidden">: {feature.label}</span>
        </PageLink>
      )}
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

/** The totals, before and after. A bill without savings has one. */
function Total({ lines, yearly, amount }: { readonly lines: readonly BillLine[]; readonly yearly: boolean; readonly amount: (dollars: number) => string }) {
  const total = billTotal(lines);
  if (total.saved === 0) {
    return (
      <p className={styles.total}>
        <span>{billWords.total}</span> <strong className={styles.sum}>{amount(total.before)}</strong>
      </p>
    );
  }
  return (
    <>
      <p className={styles.total}>
        <span>{billWords.total}</span> <Struck key={total.before}>{amount(total.before)}</Struck>{' '}
        <Circled key={total.after} className={styles.sum}>
          {amount(total.after)}
        </Circled>
      </p>
      <p className={styles.saved}>
        <span>{billWords.saved}</span> <span>{`${amount(total.saved)} · ${total.percent}%`}</span>
      </p>
      {yearly && (
        <p className={`${styles.saved} ${styles.year}`}>
          <span>{billWords.year}</span> <span>{amount(12 * total.saved)}</span>
        </p>
      )}
    </>
  );
}

/** The lines of a bill, or of the sample bill with cents. */
export function BillLines({ lines, only }: Pick<BillProps, 'lines' | 'only'>) {
  const shown = lines ?? billLines;
  const longest = Math.max(...shown.map(({ before }) => before));
  return (
    <ul className={styles.lines}>
      {features.map((feature, index) => {
        const line = shown[index] ?? feature.line;
        const struck = only === undefined ? line.after < line.before : feature === only;
        return <Line key={feature.slug} feature={feature} line={line} longest={longest} struck={struck} here={feature === only} amount={lines === undefined ? dollars : money} />;
      })}
    </ul>
  );
}

interface BillProps {
  /** The feature of the page. Only its line is struck. */
  readonly only?: Feature | undefined;
  /** The visitor's own lines, in the order of the features. */
  readonly lines?: readonly BillLine[] | undefined;
  /** Whether it has a yearly total. Such a bill is not carried to other pages. */
  readonly yearly?: boolean;
  /** The line below the title. */
  readonly period?: string;
}

/** The whole bill, with all lines struck, or with the line of one feature on its page, or with the visitor's own lines. */
export function Bill({ only, lines, yearly = false, period = billWords.period }: BillProps) {
  const carried = lines === undefined ? '' : 'printed';
  return (
    <figure className={styles.figure} data-bill={yearly ? undefined : carried}>
      <Receipt>
        <div className={styles.bill}>
          <p className={styles.head}>
            <strong>{billWords.title}</strong>
            <span>{period}</span>
          </p>
          <BillLines lines={lines} only={only} />
          {only === undefined ? (
            <Total lines={lines ?? billLines} yearly={yearly} amount={lines === undefined ? dollars : money} />
          ) : (
            <p className={styles.total}>
              <span>{billWords.saved}</span>{' '}
              <Circled className={styles.sum} instead={false}>
                {dollars(billTotal([only.line]).saved)}
              </Circled>
            </p>
          )}
          <div className={styles.barcode} />
        </div>
      </Receipt>
    </figure>
  );
}
