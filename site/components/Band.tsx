// A section of a page, with spacing, background, and an anchor or part name.
import type { ReactNode } from 'react';
import styles from './Band.module.css';

interface BandProps {
  readonly children: ReactNode;
  /** Anchor, on the home page. */
  readonly id?: string;
  /** Part name, on feature pages. */
  readonly part?: string;
  /** Whether it has the darker background. */
  readonly deep?: boolean;
  /** Whether head and content are side by side on wide screens. */
  readonly split?: boolean;
}

/** A section. With an anchor, it can be focused by jump links. */
export function Band({ children, id, part, deep = false, split = false }: BandProps) {
  return (
    <section id={id} data-part={part} tabIndex={id === undefined ? undefined : -1} className={`${styles.band} ${deep ? styles.deep : ''}`}>
      <div className={`wrap ${styles.inner} ${split ? styles.split : ''}`}>{children}</div>
    </section>
  );
}
