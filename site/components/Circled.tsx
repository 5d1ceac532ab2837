// A new amount with the ring of the red pen around it.
import { Instead } from './Strike.tsx';
import styles from './Circled.module.css';

interface CircledProps {
  readonly children: string;
  readonly className?: string | undefined;
  /** Whether it replaces a struck amount, which screen readers announce. */
  readonly instead?: boolean;
}

/** The amount, which appears with its ring after all strokes of the pen. */
export function Circled({ children, className = '', instead = true }: CircledProps) {
  return (
    <span className={`${styles.circled} ${className}`}>
      {instead ? <Instead>{children}</Instead> : <strong>{children}</strong>}
      <span className={styles.ring}>
        <svg viewBox="0 0 200 70" preserveAspectRatio="none" aria-hidden="true">
          <path d="M118 4C66 1 8 12 5 36s52 32 104 30 88-14 86-34S150 2 84 7" />
        </svg>
      </span>
    </span>
  );
}
