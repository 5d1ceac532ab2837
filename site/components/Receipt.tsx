// A sheet of receipt paper with torn edges: the frame that bills, examples and cards stand on.
import type { ReactNode } from 'react';
import styles from './Receipt.module.css';

interface ReceiptProps {
  readonly children: ReactNode;
  readonly className?: string | undefined;
  /** Which edges are torn; the others are cut straight. */
  readonly torn?: 'both' | 'bottom';
}

/** Receipt paper. The shadow lies outside the torn edge, so it needs a box of its own. */
export function Receipt({ children, className = '', torn = 'both' }: ReceiptProps) {
  return (
    <div className={`${styles.shadow} ${className}`}>
      <div className={`${styles.sheet} ${torn === 'both' ? styles.both : styles.bottom}`}>{children}</div>
    </div>
  );
}
