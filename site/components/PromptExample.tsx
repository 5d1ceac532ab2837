// The before/after prompt as a diff with its price: a table of lines and tokens with totals, and the remaining prompt.
import { useState } from 'react';
import { money } from '#content/money.ts';
import type { PromptExampleContent, PromptPart } from '#content/types.ts';
import { ExampleTable } from './ExampleTable.tsx';
import { Receipt } from './Receipt.tsx';
import { Instead, Struck } from './Strike.tsx';
import styles from './PromptExample.module.css';
import example from './example.module.css';

/** All lines of the sample prompt with their tokens, before and after. A press puts a struck line back, and the sums follow. */
export function PromptExample({ content }: { readonly content: PromptExampleContent }) {
  const { parts, sums } = content;
  const [back, setBack] = useState<readonly PromptPart[]>([]);
  const toggle = (part: PromptPart) => setBack(back.includes(part) ? back.filter((other) => other !== part) : [...back, part]);
  const kept = parts.filter((part) => !part.struck || back.includes(part));
  const tokens = kept.reduce((sum, part) => sum + part.tokens, 0);
  const results = [`${tokens}`, money(tokens * content.dollarsPerToken)];
  const caption = (
    <>
      {content.caption}{' '}
      <span data-scripted="" className={styles.hint}>
        {content.hint}
      </span>
    </>
  );
  return (
    <figure className={example.figure}>
      <div className={styles.sheets}>
        <ExampleTable caption={caption} columns={Object.values(content.columns)} className={styles.diff}>
          <tbody>
            {parts.map((part) => {
              const isStruck = !kept.includes(part);
              return (
                <tr key={part.text} className={isStruck ? styles.struck : part.struck ? styles.back : ''}>
                  <th scope="row">
                    {part.struck ? (
                      <button type="button" aria-pressed={isStruck} onClick={() => toggle(part)}>
                        {isStruck ? <del>{part.text}</del> : part.text}
                      </button>
                    ) : (
                      part.text
                    )}
                  </th>
                  <td>{part.tokens}</td>
                  <td>{isStruck ? 0 : part.tokens}</td>
                </tr>
              );
            })}
          </tbody>
          <tfoot>
            {sums.map((sum, index) => (
              <tr key={sum.label}>
                <th scope="row">{sum.label}</th>
                <td>
                  <Struck>{sum.was}</Struck>
                </td>
                <td>
                  <Instead>{results[index] ?? ''}</Instead>
                </td>
              </tr>
            ))}
          </tfoot>
        </ExampleTable>
        <div className={styles.rest}>
          <Receipt>
            <div className={styles.sent}>
              <h3>{content.sent}</h3>
              <p>{kept.map(({ text }) => text).join(' ')}</p>
              <p className={styles.now} aria-live="polite">
                {sums.map(({ label }, index) => (
                  <span key={label}>{`${results[index]} ${index === 0 ? label.toLowerCase() : ''}`.trim()}</span>
                ))}
              </p>
            </div>
          </Receipt>
        </div>
      </div>
      <figcaption className={example.note}>{content.note}</figcaption>
    </figure>
  );
}
