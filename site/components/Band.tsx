// A section of a page: the space around it, its ground, and the anchor or part that names it.
import type { ReactNode } from 'react';
import styles from './Band.module.css';

interface BandProps {
  readonly children: ReactNode;
  /** The anchor, on the home page. */
  readonly id?: string;
  /** The part, on feature pages. */
  readonly part?: string;
  /** Stands on the deeper paper. */
  readonly deep?: boolean;
  /** Head and content side by side on wide screens. */
  readonly split?: boolean;
}

/** A section. With an anchor it can take focus when it is jumped to. */
export function Band({ children, id, part, deep = false, split = false }: BandProps) {
  return (
    <section id={id} data-part={part} tabIndex={id === undefined ? undefined : -1} className={`${styles.band} ${deep ? styles.deep : ''}`}>
      <div className={`wrap ${split ? styles.split : ''}`}>{children}</div>
    </section>
  );
}
