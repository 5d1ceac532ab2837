// The bill in one line, for the first screen of a phone. Its lines unfold.
import { billTotal, billWords } from '#content/bill.ts';
import { linesOf } from '#content/estimate.ts';
import { money } from '#content/money.ts';
import { BillLines } from './Bill.tsx';
import { Circled } from './Circled.tsx';
import { useOwnBill } from './own-bill-state.ts';
import { Receipt } from './Receipt.tsx';
import { Struck } from './Strike.tsx';
import styles from './Slip.module.css';

/** The total before and after. Wide screens have the whole bill there. */
export function Slip() {
  const lines = linesOf(useOwnBill().estimate);
  const { before, after, saved } = billTotal(lines);
  return (
    <div className={styles.slip}>
      <Receipt torn="bottom">
        <details>
          <summary className={styles.line}>
            {billWords.title} {saved > 0 && <Struck key={before}>{money(before)}</Struck>}{' '}
            <Circled key={after} className={styles.sum} instead={saved > 0}>
              {money(after)}
            </Circled>
          </summary>
          <div className={styles.lines}>
            <BillLines lines={lines} />
          </div>
        </details>
      </Receipt>
    </div>
  );
}
