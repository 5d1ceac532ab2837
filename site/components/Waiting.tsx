// A progress line while the code of a page is loading.
import { shell } from '#content/pages/shell.ts';
import styles from './Waiting.module.css';

/** A red line along the top edge. It starts with a delay, so that fast pages do not show it. */
export function Waiting() {
  return <div className={styles.line} role="progressbar" aria-label={shell.waiting} />;
}
