// What shows that a page is on its way, where its code takes long to come.
import { shell } from '#content/pages/shell.ts';
import styles from './Waiting.module.css';

/** A line of the red pen along the top edge; it starts late, so that quick pages come without it. */
export function Waiting() {
  return <div className={styles.line} role="progressbar" aria-label={shell.waiting} />;
}
