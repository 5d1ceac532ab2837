// The bill in one line, for the first screen of a phone.
import { billTotal, billWords } from '#content/bill.ts';
import { money } from '#content/money.ts';
import { Circled } from './Circled.tsx';
import { Receipt } from './Receipt.tsx';
import { Struck } from './Strike.tsx';
import styles from './Slip.module.css';

/** The total before and after. Wide screens have the whole bill there. */
export function Slip() {
  const total = billTotal();
  return (
    <div className={styles.slip} data-slip="">
      <Receipt torn="bottom">
        <p className={styles.line}>
          <span>{billWords.title}</span> <Struck>{money(total.before)}</Struck> <Circled className={styles.sum}>{money(total.after)}</Circled>
        </p>
      </Receipt>
    </div>
  );
}
