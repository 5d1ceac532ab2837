// The sample bill of all pages. The home page strikes all its lines, a feature page only its own. Each line links to its page.
import { billTotal, billWords } from '#content/bill.ts';
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
  const parts = struck ? ([['ghost', before], ['gone', before], ['left', after]] as const) : ([['left', before]] as const);
  return (
    <span className={styles.bar}>
      {parts.map(([part, amount]) => (
        <svg key={part} className={styles[part]} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
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

/** A line of the bill. It links to the page of its feature, unless it is on that page. */
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
          <Struck>{amount(line.before)}</Struck> <Instead>{amount(line.after)}</Instead>
        </span>
      ) : (
        <span className={styles.due}>{amount(line.before)}</span>
      )}
    </li>
  );
}

/** The totals, before and after. A bill without savings has one. */
function Total({ lines, amount }: { readonly lines: readonly BillLine[] | undefined; readonly amount: (dollars: number) => string }) {
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
        <span>{billWords.total}</span> <Struck>{amount(total.before)}</Struck> <Circled className={styles.sum}>{amount(total.after)}</Circled>
      </p>
      <p className={styles.saved}>
        <span>{billWords.saved}</span> <span>{`${amount(total.saved)} · ${total.percent}%`}</span>
      </p>
      {lines !== undefined && (
        <p className={`${styles.saved} ${styles.year}`}>
          <span>{billWords.year}</span> <span>{amount(12 * total.saved)}</span>
        </p>
      )}
    </>
  );
}

interface BillProps {
  /** The feature of the page. Only its line is struck. */
  readonly only?: Feature;
  /** The visitor's own lines, in the order of the features. They have a yearly total. */
  readonly own?: readonly BillLine[];
  /** The line below the title. */
  readonly period?: string;
}

/** The whole bill, with all lines struck, or with the line of one feature on its page, or with the visitor's own lines. */
export function Bill({ only, own, period = billWords.period }: BillProps) {
  const lines = own ?? features.map(({ line }) => line);
  const longest = Math.max(...lines.map(({ before }) => before));
  const amount = own === undefined ? dollars : money;
  return (
    <figure className={styles.figure} data-bill={own === undefined ? '' : undefined}>
      <Receipt>
        <div className={styles.bill}>
          <p className={styles.head}>
            <strong>{billWords.title}</strong>
            <span>{period}</span>
          </p>
          <ul className={styles.lines}>
            {features.map((feature, index) => {
              const line = lines[index] ?? feature.line;
              const struck = only === undefined ? line.after < line.before : feature === only;
              return <Line key={feature.slug} feature={feature} line={line} longest={longest} struck={struck} here={feature === only} amount={amount} />;
            })}
          </ul>
          {only === undefined ? (
            <Total lines={own} amount={amount} />
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
