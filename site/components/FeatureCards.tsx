// The four features as slips of receipt paper, each with one line already struck.
import type { FeatureCard } from '#content/types.ts';
import { Arrow } from './Arrow.tsx';
import { PageLink } from './PageLink.tsx';
import { Receipt } from './Receipt.tsx';
import { Instead, Struck } from './Strike.tsx';
import { Words } from './Words.tsx';
import styles from './FeatureCards.module.css';

/** A list of cards; the whole card leads to its page. */
export function FeatureCards({ items }: { readonly items: readonly FeatureCard[] }) {
  return (
    <ul className={styles.cards}>
      {items.map((item) => (
        <li key={item.feature} className={styles.card}>
          <Receipt torn="bottom" className={styles.receipt}>
            <div className={styles.words}>
              <h3>{item.title}</h3>
              <p className={styles.text}><Words>{item.text}</Words></p>
              <p className={styles.figure}>
                <span>{item.figure.label}</span>
                <span className={styles.values}>
                  <Struck>{item.figure.was}</Struck> <Instead>{item.figure.now}</Instead>
                </span>
              </p>
              <PageLink to={`/${item.feature}`} feature={item.feature} className={styles.link}>
                {item.link}
                {'\u00a0'}
                <span>
                  <Arrow />
                </span>
              </PageLink>
            </div>
          </Receipt>
        </li>
      ))}
    </ul>
  );
}
