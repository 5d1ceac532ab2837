// The cache cost comparison as a table: paid calls, answers from the cache, and the totals, by the similarity of questions.
import type { CacheExampleContent } from '#content/threshold-types.ts';
import { Bar } from './Bar.tsx';
import { ExampleTable } from './ExampleTable.tsx';
import { Instead, Struck } from './Strike.tsx';
import { ThresholdButtons, useThreshold } from './ThresholdButtons.tsx';
import styles from './CacheExample.module.css';
import example from './example.module.css';

/** The calls in order. Their times and costs add up to the totals with the cache. */
export function CacheExample({ content }: { readonly content: CacheExampleContent }) {
  const { without, threshold } = content;
  const [at, choice, choose] = useThreshold(threshold);
  return (
    <figure className={example.figure}>
      <ThresholdButtons threshold={threshold} at={at} choose={choose} />
      <ExampleTable caption={content.caption} columns={Object.values(content.columns)} className={styles.calls}>
        <tbody>
          {content.calls.map(({ label, question, reusedFrom }) => {
            const answer = reusedFrom <= at ? content.reused : content.paid;
            return (
              <tr key={question}>
                <th scope="row">
                  <span className={styles.label}>{label}</span>
                  <span className={styles.words}>{question}</span> <span className={answer.cached ? styles.cached : styles.paid}>{answer.source}</span>
                </th>
                <td>
                  {answer.time}
                  <Bar share={answer.share} pen={answer.cached} />
                </td>
                <td className={answer.cached ? styles.free : ''}>{answer.cost}</td>
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{without.label}</th>
            <td>
              <Struck>{without.time}</Struck>
            </td>
            <td>
              <Struck>{without.cost}</Struck>
            </td>
          </tr>
          <tr>
            <th scope="row">{content.with}</th>
            <td>
              <Instead key={at}>{choice?.time ?? ''}</Instead>
            </td>
            <td>
              <Instead key={at}>{choice?.cost ?? ''}</Instead>
            </td>
          </tr>
        </tfoot>
      </ExampleTable>
    </figure>
  );
}
