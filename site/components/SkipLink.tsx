// The first link of the page: skips the header.
import { shell } from '#content/pages/shell.ts';
import styles from './SkipLink.module.css';

/** Id of the main element, the target of the link. */
export const mainId = 'content';

/** Visible only while it has focus. */
export function SkipLink() {
  return (
    <a href={`#${mainId}`} className={styles.skip}>
      {shell.skip}
    </a>
  );
}
