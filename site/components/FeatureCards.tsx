// The four features as cards of receipt paper, each headed by its line of the bill, with a miniature of what it does.
import { featureCards } from '#content/feature-cards.ts';
import { features, pathOf } from '#content/features.ts';
import { money } from '#content/money.ts';
import { Arrow } from './Arrow.tsx';
import { CardDrawing } from './CardDrawing.tsx';
import { PageLink } from './PageLink.tsx';
import { Receipt } from './Receipt.tsx';
import { Words } from './Words.tsx';
import styles from './FeatureCards.module.css';

/** A list of cards. Each whole card is a link to its page. */
export function FeatureCards() {
  return (
    <ul className={styles.cards}>
      {features.map((feature) => {
        const card = featureCards[feature.slug];
        return (
          <li key={feature.slug} data-card={feature.slug} className={styles.card}>
            <Receipt torn="bottom" className={styles.receipt}>
              <div className={styles.words}>
                <p className={styles.head}>
                  <span>{feature.line.label}</span> <strong>−{money(feature.line.before - feature.line.after)}</strong>
                </p>
                <CardDrawing drawing={card.drawing} />
                <h3>{feature.label}</h3>
                <p className={styles.text}><Words>{card.text}</Words></p>
                <PageLink to={pathOf(feature)} feature={feature.slug} className={styles.link}>
                  {card.link}
                  <span>
                    <Arrow />
                  </span>
                </PageLink>
              </div>
            </Receipt>
          </li>
        );
      })}
    </ul>
  );
}
