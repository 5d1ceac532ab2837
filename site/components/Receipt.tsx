// A sheet of receipt paper with torn edges: the frame that bills, examples and cards stand on.
import type { ReactNode } from 'react';
import styles from './Receipt.module.css';

interface ReceiptProps {
  readonly children: ReactNode;
  readonly className?: string | undefined;
  /** Which edges are torn; the others are cut straight. */
  readonly torn?: 'both' | 'bottom';
}

/** Receipt paper, lit in the dark theme too: what stands on it has the colours of the light one. */
export function Receipt({ children, className = '', torn = 'both' }: ReceiptProps) {
  return <div className={`${styles.receipt} ${torn === 'both' ? styles.both : ''} ${className}`}>{children}</div>;
}
