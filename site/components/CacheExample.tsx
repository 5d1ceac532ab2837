// The cache cost comparison: one paid call, then the same answer for nothing.
import type { CacheExampleContent } from '#content/types.ts';
import { Bar } from './Bar.tsx';
import { Receipt } from './Receipt.tsx';
import { Instead, Struck } from './Strike.tsx';
import styles from './CacheExample.module.css';
import example from './example.module.css';

/** Calls in the order they came, with the time and the cost of each. */
export function CacheExample({ content }: { readonly content: CacheExampleContent }) {
  return (
    <figure className={example.figure}>
      <Receipt>
        <div className={styles.sheet}>
          <ol>
            {content.calls.map((call) => (
              <li key={call.question} className={styles.call}>
                <div className={styles.question}>
                  <p className={styles.label}>{call.label}</p>
                  <p className={styles.words}>{call.question}</p>
                  <p className={styles.source}>{call.source}</p>
                </div>
                <dl className={styles.figures}>
                  <div className={styles.time}>
                    <dt>{content.timeLabel}</dt>
                    <dd>{call.time}</dd>
                    <dd className={styles.bar}>
                      <Bar share={call.share} pen={call.cached} />
                    </dd>
                  </div>
                  <div>
                    <dt>{content.costLabel}</dt>
                    <dd className={call.cached ? styles.free : ''}>{call.cost}</dd>
                  </div>
                </dl>
              </li>
            ))}
          </ol>
          <p className={example.total}>
            <span>{content.total.label}</span>
            <span className={example.values}>
              <Struck>{content.total.was}</Struck> <Instead>{content.total.now}</Instead>
            </span>
          </p>
        </div>
      </Receipt>
      <figcaption className={example.note}>{content.note}</figcaption>
    </figure>
  );
}
