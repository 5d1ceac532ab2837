// The three tiers as a flow: tasks arrive, are classified, and go to the matching model, each with its price.
import type { RoutingExampleContent } from '#content/types.ts';
import { Receipt } from './Receipt.tsx';
import { Instead, Struck } from './Strike.tsx';
import { Bar } from './Bar.tsx';
import styles from './RoutingExample.module.css';
import example from './example.module.css';

const ends = [1, 3, 5];
const curve = (from: number, to: number) => `M0 ${from}C50 ${from} 50 ${to} 100 ${to}`;

/** The lines between tasks, router and models: every task goes to the router, and then to one model. */
function Ways() {
  return (
    <>
      <svg className={styles.in} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        {ends.map((end) => (
          <path key={end} d={curve(end, 3)} />
        ))}
      </svg>
      <svg className={styles.out} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        {ends.map((end) => (
          <path key={end} d={curve(3, end)} />
        ))}
      </svg>
    </>
  );
}

/** A simple, a medium and a complex task. */
export function RoutingExample({ content }: { readonly content: RoutingExampleContent }) {
  const { columns, total } = content;
  return (
    <figure className={example.figure}>
      <Receipt>
        <div className={example.sheet}>
          <div className={styles.flow}>
            <Ways />
            <p className={styles.router}>{content.router}</p>
            <ul className={styles.tasks}>
              {content.tasks.map((task) => (
                <li key={task.level} className={styles.task}>
                  <div className={styles.ask}>
                    <h3>{task.level}</h3>
                    <p>
                      <span className="visually-hidden">{columns.task}: </span>
                      {task.task}
                    </p>
                  </div>
                  <dl className={styles.model}>
                    <div>
                      <dt>{columns.model}</dt>
                      <dd className={styles.name}>{task.model}</dd>
                    </div>
                    <div>
                      <dt>{columns.cost}</dt>
                      <dd className={styles.cost}>
                        {task.was !== undefined && <Struck>{task.was}</Struck>} <Instead>{task.cost}</Instead>
                      </dd>
                    </div>
                    <div className={styles.bar}>
                      <dd>
                        <Bar share={task.share} pen={task.was === undefined} />
                      </dd>
                    </div>
                  </dl>
                </li>
              ))}
            </ul>
          </div>
          <p className={styles.total}>
            <span>{total.label}</span>
            <span className={styles.cost}>
              <Struck>{total.was}</Struck> <Instead>{total.now}</Instead>
            </span>
          </p>
        </div>
      </Receipt>
    </figure>
  );
}
