// The choices of a threshold, as buttons with their results. Without JavaScript, all notes are shown, each with its result.
import { useState } from 'react';
import type { Choice, Threshold } from '#content/threshold-types.ts';
import own from './OwnBill.module.css';
import tabs from './Tabs.module.css';
import styles from './ThresholdButtons.module.css';

interface ThresholdButtonsProps {
  readonly threshold: Threshold<Choice>;
  /** The index of the chosen one. */
  readonly at: number;
  readonly choose: (index: number) => void;
}

/** Returns the index of the choice, the choice, and how to choose another. */
export function useThreshold<C extends Choice>({ choices, start }: Threshold<C>): readonly [number, C | undefined, (index: number) => void] {
  const [at, choose] = useState(start);
  return [at, choices[at], choose];
}

/** A group of buttons, of which one is pressed, and its note. */
export function ThresholdButtons({ threshold: { label, choices }, at, choose }: ThresholdButtonsProps) {
  return (
    <div className={styles.threshold}>
      <h3>{label}</h3>
      <div role="group" aria-label={label} data-scripted="" className={`${own.controls} ${own.amounts}`}>
        {choices.map(({ name, result }, index) => (
          <button key={name} type="button" aria-pressed={index === at} onClick={() => choose(index)}>
            {name} <span>{result}</span>
          </button>
        ))}
      </div>
      <div aria-live="polite" className={tabs.stack}>
        {choices.map(({ name, result, note }, index) => (
          <p key={name} data-away={index === at ? undefined : ''}>
            <strong>{`${name}, ${result}:`}</strong> {note}
          </p>
        ))}
      </div>
    </div>
  );
}
