// The before/after prompt as a diff with its price: a table of lines and tokens with totals, and the remaining prompt.
import type { PromptExampleContent } from '#content/types.ts';
import { ExampleTable } from './ExampleTable.tsx';
import { Receipt } from './Receipt.tsx';
import { Instead, Struck } from './Strike.tsx';
import styles from './PromptExample.module.css';
import example from './example.module.css';

/** All lines of the sample prompt with their tokens, before and after. */
export function PromptExample({ content }: { readonly content: PromptExampleContent }) {
  const { parts, sums } = content;
  const kept = parts.filter(({ struck }) => !struck).map(({ text }) => text);
  return (
    <figure className={example.figure}>
      <div className={styles.sheets}>
        <ExampleTable caption={content.caption} columns={Object.values(content.columns)} className={styles.diff}>
          <tbody>
            {parts.map(({ text, struck, tokens }) => (
              <tr key={text} className={struck ? styles.struck : ''}>
                <th scope="row">{struck ? <del>{text}</del> : text}</th>
                <td>{tokens}</td>
                <td>{struck ? 0 : tokens}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            {sums.map((sum) => (
              <tr key={sum.label}>
                <th scope="row">{sum.label}</th>
                <td>
                  <Struck>{sum.was}</Struck>
                </td>
                <td>
                  <Instead>{sum.now}</Instead>
                </td>
              </tr>
            ))}
          </tfoot>
        </ExampleTable>
        <div className={styles.rest}>
          <Receipt>
            <div className={styles.sent}>
              <h3>{content.sent}</h3>
              <p>{kept.join(' ')}</p>
              <p className={styles.now}>
                {sums.map(({ label, now }) => (
                  <span key={label}>{`${now} ${label === sums[0]?.label ? label.toLowerCase() : ''}`.trim()}</span>
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
