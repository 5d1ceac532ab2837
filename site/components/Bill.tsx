// The bill of the home page: the sample bill with all lines struck, or the visitor's own.
import { billLines, billTotal, billWords } from '#content/bill.ts';
import { features } from '#content/features.ts';
import { dollars, money } from '#content/money.ts';
import type { BillLine } from '#content/types.ts';
import { LinkedLabel, Line, Sheet } from './BillSheet.tsx';
import { Circled } from './Circled.tsx';
import { Struck } from './Strike.tsx';
import styles from './Bill.module.css';

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

/** The visitor's own lines, or the sample bill with cents. */
export function BillLines({ lines }: { readonly lines?: readonly BillLine[] | undefined }) {
  const shown = lines ?? billLines;
  const longest = Math.max(...shown.map(({ before }) => before));
  return (
    <ul className={styles.lines}>
      {features.map((feature, index) => {
        const line = shown[index] ?? feature.line;
        return <Line key={feature.slug} label={<LinkedLabel feature={feature} line={line} />} line={line} longest={longest} struck={line.after < line.before} amount={lines === undefined ? dollars : money} />;
      })}
    </ul>
  );
}

interface BillProps {
  /** The visitor's own lines, in the order of the features. */
  readonly lines?: readonly BillLine[] | undefined;
  /** Whether it has a yearly total. Such a bill is not carried to other pages. */
  readonly yearly?: boolean;
  readonly period?: string;
}

/** The whole bill, with all lines struck, or with the visitor's own lines. */
export function Bill({ lines, yearly = false, period = billWords.period }: BillProps) {
  const carried = lines === undefined ? '' : 'printed';
  return (
    <Sheet carried={yearly ? undefined : carried} period={period}>
      <BillLines lines={lines} />
      <Total lines={lines ?? billLines} yearly={yearly} amount={lines === undefined ? dollars : money} />
    </Sheet>
  );
}
