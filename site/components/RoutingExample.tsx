// The routing example: a lane for each task. It passes the models that are not good enough, and ends at the first that is.
import type { RoutingExampleContent } from '#content/types.ts';
import { Receipt } from './Receipt.tsx';
import { Instead, Struck } from './Strike.tsx';
import styles from './RoutingExample.module.css';
import example from './example.module.css';

type Task = RoutingExampleContent['tasks'][number];

/** A lane across all models, up to the one that the task is sent to. */
function Lane({ models, model }: { readonly models: readonly string[]; readonly model: string }) {
  const end = models.indexOf(model);
  return (
    <span className={styles.track} aria-hidden="true">
      {models.map((name, index) => (
        <span key={name} className={index < end ? styles.passed : index === end ? styles.taken : styles.left} />
      ))}
    </span>
  );
}

/** The prices of a task: what the largest model costs, and what it costs now. */
function Price({ task }: { readonly task: Task }) {
  return (
    <>
      {task.was !== undefined && <Struck>{task.was}</Struck>} <Instead>{task.cost}</Instead>
    </>
  );
}

/** A simple, a medium and a complex task. */
export function RoutingExample({ content }: { readonly content: RoutingExampleContent }) {
  const { columns, total, tasks } = content;
  const models = tasks.map(({ model }) => model);
  return (
    <figure className={example.figure}>
      <Receipt>
        <div className={`${example.sheet} ${styles.sheet}`}>
          <p className={styles.heads} aria-hidden="true">
            <span>{columns.task}</span>
            <span className={styles.models}>
              {models.map((model) => (
                <span key={model}>{model}</span>
              ))}
            </span>
            <span>{columns.cost}</span>
          </p>
          <ul>
            {tasks.map((task) => (
              <li key={task.level} className={styles.lane}>
                <div className={styles.ask}>
                  <h3>{task.level}</h3>
                  <p>
                    <span className="visually-hidden">{columns.task}: </span>
                    {task.task}
                  </p>
                </div>
                <p className={styles.way}>
                  <Lane models={models} model={task.model} />
                  <span className={styles.name}>
                    <span className="visually-hidden">{columns.model}: </span>
                    {task.model}
                  </span>
                </p>
                <p className={styles.cost}>
                  <span className="visually-hidden">{columns.cost}: </span>
                  <Price task={task} />
                </p>
              </li>
            ))}
          </ul>
          <p className={styles.total}>
            <span>{total.label}</span>
            <span className={styles.cost}>
              <Struck>{total.was}</Struck> <Instead>{total.now}</Instead>
            </span>
          </p>
        </div>
      </Receipt>
      <figcaption className={example.note}>{content.note}</figcaption>
    </figure>
  );
}
