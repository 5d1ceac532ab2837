// The routing example: a lane for each task. It passes the models that are not good enough, and ends at the first that is.
import type { RoutingExampleContent } from '#content/threshold-types.ts';
import { Receipt } from './Receipt.tsx';
import { Instead, Struck } from './Strike.tsx';
import { ThresholdButtons, useThreshold } from './ThresholdButtons.tsx';
import styles from './RoutingExample.module.css';
import example from './example.module.css';

/** A lane across all models, up to the one that the task is sent to. */
function Lane({ models, end }: { readonly models: RoutingExampleContent['models']; readonly end: number }) {
  return (
    <span className={styles.track} aria-hidden="true">
      {models.map(({ name }, index) => (
        <span key={name} className={index < end ? undefined : index === end ? styles.taken : styles.left} />
      ))}
    </span>
  );
}

/** A simple, a medium and a complex task. */
export function RoutingExample({ content }: { readonly content: RoutingExampleContent }) {
  const { columns, models, threshold, total } = content;
  const [at, choice, choose] = useThreshold(threshold);
  const largest = models.at(-1);
  return (
    <figure className={example.figure}>
      <ThresholdButtons threshold={threshold} at={at} choose={choose} />
      <Receipt>
        <div className={example.sheet}>
          <p className={styles.heads} aria-hidden="true">
            <span>{columns.task}</span>
            <span>
              {models.map(({ name }) => (
                <span key={name}>{name}</span>
              ))}
            </span>
            <span>{columns.cost}</span>
          </p>
          <ul>
            {content.tasks.map(({ level, task }, index) => {
              const end = choice?.models[index] ?? 0;
              const model = models[end] ?? { name: '', cost: '' };
              return (
                <li key={level} className={styles.lane} data-stop={end}>
                  <div className={styles.ask}>
                    <h3>{level}</h3>
                    <p>
                      <span className="visually-hidden">{columns.task}: </span>
                      {task}
                    </p>
                  </div>
                  <p className={styles.way}>
                    <Lane models={models} end={end} />
                    <span className={styles.name}>
                      <span className="visually-hidden">{columns.model}: </span>
                      {model.name}
                    </span>
                  </p>
                  <p className={styles.cost}>
                    <span className="visually-hidden">{columns.cost}: </span>
                    {model !== largest && <Struck key={end}>{largest?.cost ?? ''}</Struck>} <Instead key={`${end} now`}>{model.cost}</Instead>
                  </p>
                </li>
              );
            })}
          </ul>
          <p className={styles.total}>
            <span>{total.label}</span>
            <span className={styles.cost}>
              <Struck>{total.was}</Struck> <Instead key={at}>{choice?.result ?? ''}</Instead>
            </span>
          </p>
        </div>
      </Receipt>
      <figcaption className={example.note}>{content.note}</figcaption>
    </figure>
  );
}
