// The frame of an example that adds up: a figure on receipt paper, its sum at the foot and a note below.
import type { ReactNode } from 'react';
import type { ExampleSum } from '#content/types.ts';
import { Receipt } from './Receipt.tsx';
import { Instead, Struck } from './Strike.tsx';
import styles from './example.module.css';

interface ExampleSheetProps {
  /** The list of what is added up. */
  readonly children: ReactNode;
  readonly content: ExampleSum;
}

/** A list and its sum: the old one struck, the new one beside it. */
export function ExampleSheet({ children, content: { total } }: ExampleSheetProps) {
  return (
    <figure className={styles.figure}>
      <Receipt>
        <div className={styles.sheet}>
          {children}
          <p className={styles.total}>
            <span>{total.label}</span>
            <span className={styles.values}>
              <Struck>{total.was}</Struck> <Instead>{total.now}</Instead>
            </span>
          </p>
        </div>
      </Receipt>
    </figure>
  );
}
