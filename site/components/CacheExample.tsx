// The cache cost comparison as a table: a paid call, the same answer for free, and the totals.
import type { CacheExampleContent } from '#content/types.ts';
import { Bar } from './Bar.tsx';
import { ExampleTable } from './ExampleTable.tsx';
import { Instead, Struck } from './Strike.tsx';
import styles from './CacheExample.module.css';
import example from './example.module.css';

/** The calls in order. Their times and costs add up to the totals with the cache. */
export function CacheExample({ content }: { readonly content: CacheExampleContent }) {
  const { without } = content;
  return (
    <figure className={example.figure}>
      <ExampleTable caption={content.caption} columns={Object.values(content.columns)} className={styles.calls}>
        <tbody>
          {content.calls.map((call) => (
            <tr key={call.question}>
              <th scope="row">
                <span className={styles.label}>{call.label}</span>
                <span className={styles.words}>{call.question}</span> <span className={call.cached ? styles.cached : styles.paid}>{call.source}</span>
              </th>
              <td>
                {call.time}
                <Bar share={call.share} pen={call.cached} />
              </td>
              <td className={call.cached ? styles.free : ''}>{call.cost}</td>
            </tr>
          ))}
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
            <th scope="row">{content.with.label}</th>
            <td>
              <Instead>{content.with.time}</Instead>
            </td>
            <td>
              <Instead>{content.with.cost}</Instead>
            </td>
          </tr>
        </tfoot>
      </ExampleTable>
    </figure>
  );
}
