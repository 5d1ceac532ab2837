// The six benefits of a feature page.
import type { TitledText } from '#content/types.ts';
import { Words } from './Words.tsx';
import styles from './BenefitGrid.module.css';

/** A list of benefits in two or three columns. */
export function BenefitGrid({ items }: { readonly items: readonly TitledText[] }) {
  return (
    <ul className={styles.grid}>
      {items.map((item) => (
        <li key={item.title}>
          <h3><Words>{item.title}</Words></h3>
          <p><Words>{item.text}</Words></p>
        </li>
      ))}
    </ul>
  );
}
