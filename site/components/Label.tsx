// The small line over a heading, with a short stroke of the pen before it.
import styles from './Label.module.css';

/** The topic of the heading below. */
export function Label({ children }: { readonly children: string }) {
  return <p className={styles.label}>{children}</p>;
}
