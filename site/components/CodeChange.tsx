// The integration as a diff: a struck line of sample code and its replacement.
import { Fragment } from 'react';
import type { HowContent } from '#content/types.ts';
import { Receipt } from './Receipt.tsx';
import styles from './CodeChange.module.css';

const tags = { struck: 'del', new: 'ins' } as const;

/** Sample code on paper. */
export function CodeChange({ code }: { readonly code: HowContent['code'] }) {
  return (
    <figure className={styles.figure} aria-label={code.title}>
      <Receipt>
        <p className={styles.head}>
          <strong>{code.title}</strong> <span>{code.kind}</span>
        </p>
        <pre className={styles.code}>
          <code>
            {code.lines.map(({ text, change }) => {
              const Line = change === undefined ? 'span' : tags[change];
              const words = text.trimStart();
              return (
                <Line key={text}>
                  <span>{text.slice(0, -words.length)}</span>
                  <span className={styles.words}>
                    {/* A long address may break after its scheme. */}
                    {words.split(/(?<=\/\/|=(?="))/).map((part, index) => (
                      <Fragment key={part}>
                        {index > 0 && <wbr />}
                        {part}
                      </Fragment>
                    ))}
                    {'\n'}
                  </span>
                </Line>
              );
            })}
          </code>
        </pre>
        <ul className={styles.notes}>
          {code.notes.map(({ title, text }) => (
            <li key={title}>
              <strong>{title}:</strong> {text}
            </li>
          ))}
        </ul>
      </Receipt>
    </figure>
  );
}
