// The four benefits as entries of a ledger: title, description, and a figure in the right column.
import type { Benefit } from '#content/types.ts';
import { Words } from './Words.tsx';
import styles from './BenefitLedger.module.css';

/** A list of benefits. */
export function BenefitLedger({ items }: { readonly items: readonly Benefit[] }) {
  return (
    <ul className={styles.ledger}>
      {items.map((item) => (
        <li key={item.title} className={styles.entry}>
          <h3>{item.title}</h3>
          <p className={styles.text}><Words>{item.text}</Words></p>
          <p className={styles.figure}>
            <strong><Words>{item.figure}</Words></strong> <span>{item.unit}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
