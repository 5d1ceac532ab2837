// The line of a feature page in one line, for the first screen of a phone.
import { money } from '#content/money.ts';
import type { BillLine } from '#content/types.ts';
import { Circled } from './Circled.tsx';
import { Receipt } from './Receipt.tsx';
import styles from './Slip.module.css';

/** The line with what it saves. */
export function LineSlip({ line: { label, before, after } }: { readonly line: BillLine }) {
  return (
    <div data-slip="" className={styles.slip}>
      <Receipt torn="bottom">
        <p className={styles.line}>
          {label}{' '}
          <Circled className={styles.sum} instead={false}>
            {`−${money(before - after)}`}
          </Circled>
        </p>
      </Receipt>
    </div>
  );
}
