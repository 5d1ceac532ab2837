// The four features as cards of receipt paper, each with one struck line.
import { features, pathOf } from '#content/features.ts';
import { Arrow } from './Arrow.tsx';
import { PageLink } from './PageLink.tsx';
import { Receipt } from './Receipt.tsx';
import { Instead, Struck } from './Strike.tsx';
import { Words } from './Words.tsx';
import styles from './FeatureCards.module.css';

/** A list of cards. Each whole card is a link to its page. */
export function FeatureCards() {
  return (
    <ul className={styles.cards}>
      {features.map((feature) => (
        <li key={feature.slug} data-card={feature.slug} className={styles.card}>
          <Receipt torn="bottom" className={styles.receipt}>
            <div className={styles.words}>
              <h3>{feature.label}</h3>
              <p className={styles.text}><Words>{feature.card.text}</Words></p>
              <p className={styles.figure}>
                <span>{feature.card.figure.label}</span>
                <span className={styles.values}>
                  <Struck>{feature.card.figure.was}</Struck> <Instead>{feature.card.figure.now}</Instead>
                </span>
              </p>
              <PageLink to={pathOf(feature)} feature={feature.slug} className={styles.link}>
                {feature.card.link}
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
