// The before/after prompt as a diff with its price: a table of lines and tokens that adds up, and what is left, once more by itself.
import type { PromptExampleContent } from '#content/types.ts';
import { Receipt } from './Receipt.tsx';
import { Instead, Struck } from './Strike.tsx';
import styles from './PromptExample.module.css';
import example from './example.module.css';

/** Every line of the sample prompt with its tokens, before and after. */
export function PromptExample({ content }: { readonly content: PromptExampleContent }) {
  const { columns, parts, sums } = content;
  const kept = parts.filter(({ struck }) => !struck).map(({ text }) => text);
  return (
    <figure className={example.figure}>
      <div className={styles.sheets}>
        <Receipt>
          <div className={example.sheet}>
            <table className={`${example.table} ${styles.diff}`}>
              <caption>{content.caption}</caption>
              <thead>
                <tr>
                  <th scope="col">{columns.line}</th>
                  <th scope="col">{columns.before}</th>
                  <th scope="col">{columns.after}</th>
                </tr>
              </thead>
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
            </table>
          </div>
        </Receipt>
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
