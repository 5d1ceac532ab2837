// The opening of a feature page: the promise, the demo button, and the bill with this page's line struck.
import { billLines, billTotal, billWords } from '#content/bill.ts';
import { dollars } from '#content/money.ts';
import type { Feature, FeatureContent } from '#content/types.ts';
import { DemoLink } from './DemoLink.tsx';
import { Label } from './Label.tsx';
import { Receipt } from './Receipt.tsx';
import { Instead, Struck } from './Strike.tsx';
import { Words } from './Words.tsx';
import styles from './FeatureHero.module.css';

/** Hero of a feature page. */
export function FeatureHero({ feature, hero }: { readonly feature: Feature; readonly hero: FeatureContent['hero'] }) {
  const { saved } = billTotal([feature.line]);
  return (
    <section data-part="hero" className={`wrap ${styles.hero}`}>
      <div className={styles.words}>
        <Label>{hero.label}</Label>
        <h1>{hero.title}</h1>
        <p className={styles.text}><Words>{hero.text}</Words></p>
        <DemoLink>{hero.demo}</DemoLink>
      </div>
      <figure className={styles.figure}>
        <Receipt>
          <div className={styles.bill}>
            <p className={styles.head}>{billWords.title}</p>
            <ul>
              {billLines.map((line) => (
                <li key={line.label} className={line === feature.line ? styles.struck : styles.line}>
                  <span>{line.label}</span>
                  {line === feature.line ? (
                    <span className={styles.values}>
                      <Struck>{dollars(line.before)}</Struck> <Instead>{dollars(line.after)}</Instead>
                    </span>
                  ) : (
                    <span>{dollars(line.before)}</span>
                  )}
                </li>
              ))}
            </ul>
            <p className={styles.saved}>
              <span>{billWords.saved}</span> <span>{dollars(saved)}</span>
            </p>
          </div>
        </Receipt>
      </figure>
    </section>
  );
}
