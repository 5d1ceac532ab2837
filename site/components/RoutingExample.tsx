// Three tasks, the model each is sent to, and what the call costs.
import type { RoutingExampleContent } from '#content/types.ts';
import { Bar } from './Bar.tsx';
import { ExampleSheet } from './ExampleSheet.tsx';
import { Instead, Struck } from './Strike.tsx';
import styles from './RoutingExample.module.css';

/** A simple, a medium and a complex task. */
export function RoutingExample({ content }: { readonly content: RoutingExampleContent }) {
  const { columns } = content;
  return (
    <ExampleSheet content={content}>
      <ul>
        {content.tasks.map((task) => (
          <li key={task.level} className={styles.task}>
            <h3 className={styles.level}>{task.level}</h3>
            <dl className={styles.facts}>
              <div>
                <dt>{columns.task}</dt>
                <dd>{task.task}</dd>
              </div>
              <div>
                <dt>{columns.model}</dt>
                <dd>{task.model}</dd>
              </div>
              <div className={styles.cost}>
                <dt>{columns.cost}</dt>
                <dd className={styles.values}>
                  {task.was !== undefined && <Struck>{task.was}</Struck>} <Instead>{task.cost}</Instead>
                </dd>
                <dd>
                  <Bar share={task.share} />
                </dd>
              </div>
            </dl>
          </li>
        ))}
      </ul>
    </ExampleSheet>
  );
}
