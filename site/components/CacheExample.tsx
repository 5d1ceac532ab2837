// The cache cost comparison: one paid call, then the same answer for nothing.
import type { CacheExampleContent } from '#content/types.ts';
import { Bar } from './Bar.tsx';
import { ExampleSheet } from './ExampleSheet.tsx';
import styles from './CacheExample.module.css';

/** Calls in the order they came, with the time and the cost of each. */
export function CacheExample({ content }: { readonly content: CacheExampleContent }) {
  return (
    <ExampleSheet content={content}>
      <ol>
        {content.calls.map((call) => (
          <li key={call.question} className={styles.call}>
            <div>
              <p className={styles.label}>{call.label}</p>
              <p className={styles.words}>{call.question}</p>
              <p className={styles.source}>{call.source}</p>
            </div>
            <dl className={styles.figures}>
              <div>
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
    </ExampleSheet>
  );
}
