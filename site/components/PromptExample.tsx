// The before/after prompt: the struck words stay readable, and the clean prompt stands beside them.
import { Fragment } from 'react';
import type { PromptExampleContent } from '#content/types.ts';
import { Receipt } from './Receipt.tsx';
import styles from './PromptExample.module.css';
import example from './example.module.css';

/** Both versions of the sample prompt with their tokens and cost. */
export function PromptExample({ content }: { readonly content: PromptExampleContent }) {
  const { before, after, parts } = content;
  const kept = parts.filter(({ struck }) => !struck).map(({ text }) => text);
  return (
    <figure className={example.figure}>
      <div className={styles.sheets}>
        <Receipt>
          <div className={styles.sheet}>
            <h3 className={styles.label}>{before.label}</h3>
            <p className={styles.prompt}>
              {parts.map(({ text, struck }) => (
                <Fragment key={text}>{struck ? <del>{text}</del> : text} </Fragment>
              ))}
            </p>
            <p className={styles.sums}>
              <span>{before.tokens}</span> <span>{before.cost}</span>
            </p>
          </div>
        </Receipt>
        <Receipt>
          <div className={styles.sheet}>
            <h3 className={styles.label}>{after.label}</h3>
            <p className={styles.prompt}>{kept.join(' ')}</p>
            <p className={`${styles.sums} ${styles.now}`}>
              <span>{after.tokens}</span> <span>{after.cost}</span>
            </p>
          </div>
        </Receipt>
      </div>
    </figure>
  );
}
