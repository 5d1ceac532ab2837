// The six benefits of a feature page: two with a drawing, four in a few words.
import type { FeatureContent } from '#content/types.ts';
import { CardDrawing } from './CardDrawing.tsx';
import { Words } from './Words.tsx';
import styles from './BenefitGrid.module.css';

/** A list of benefits. */
export function BenefitGrid({ items }: { readonly items: FeatureContent['benefits']['items'] }) {
  return (
    <ul className={styles.grid}>
      {items.map((item) => (
        <li key={item.title} className={item.drawing === undefined ? '' : styles.large}>
          {item.drawing !== undefined && <CardDrawing drawing={item.drawing} />}
          <h3><Words>{item.title}</Words></h3>
          <p><Words>{item.text}</Words></p>
        </li>
      ))}
    </ul>
  );
}
