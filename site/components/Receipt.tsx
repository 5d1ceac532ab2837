// A sheet of receipt paper with torn edges: the frame of bills, examples and cards.
import type { ReactNode } from 'react';
import styles from './Receipt.module.css';

interface ReceiptProps {
  readonly children: ReactNode;
  readonly className?: string | undefined;
  /** The torn edges. The others are straight. */
  readonly torn?: 'both' | 'bottom';
}

/** Receipt paper. It is bright in the dark theme, too: its content has the colors of the light theme. */
export function Receipt({ children, className = '', torn = 'both' }: ReceiptProps) {
  return <div className={`${styles.receipt} ${torn === 'both' ? styles.both : ''} ${className}`}>{children}</div>;
}
