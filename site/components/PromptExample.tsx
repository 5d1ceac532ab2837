// The before/after prompt: the struck words stay readable, and the clean prompt stands beside them.
import type { PromptExampleContent } from '#content/types.ts';
import { Receipt } from './Receipt.tsx';
import styles from './PromptExample.module.css';
import example from './example.module.css';

/** Both versions of the sample prompt with their tokens and cost. */
export function PromptExample({ content }: { readonly content: PromptExampleContent }) {
  const { before, after, parts } = content;
  return (
    <figure className={example.figure}>
      <div className={styles.sheets}>
        <Receipt>
          <div className={styles.sheet}>
            <h3 className={styles.label}>{before.label}</h3>
            <p className={styles.prompt}>{parts.map((part) => (part.struck ? <del key={part.text}>{part.text}</del> : part.text))}</p>
            <p className={styles.sums}>
              <span>{before.tokens}</span> <span>{before.cost}</span>
            </p>
          </div>
        </Receipt>
        <Receipt>
          <div className={styles.sheet}>
            <h3 className={styles.label}>{after.label}</h3>
            <p className={styles.prompt}>{parts.filter((part) => !part.struck).map((part) => part.text)}</p>
            <p className={`${styles.sums} ${styles.now}`}>
              <span>{after.tokens}</span> <span>{after.cost}</span>
            </p>
          </div>
        </Receipt>
      </div>
      <figcaption className={example.note}>{content.note}</figcaption>
    </figure>
  );
}
