// Three numbered steps along a dashed line.
import type { TitledText } from '#content/types.ts';
import { Words } from './Words.tsx';
import styles from './Steps.module.css';

/** An ordered list of steps, side by side if there is room. `stacked` places them below each other. */
export function Steps({ steps, stacked = false }: { readonly steps: readonly TitledText[]; readonly stacked?: boolean }) {
  return (
    <ol className={`${styles.steps} ${stacked ? '' : styles.row}`}>
      {steps.map((step, index) => (
        <li key={step.title} className={styles.step}>
          <span className={styles.number} aria-hidden="true">
            {index + 1}
          </span>
          <h3>{step.title}</h3>
          <p><Words>{step.text}</Words></p>
        </li>
      ))}
    </ol>
  );
}
