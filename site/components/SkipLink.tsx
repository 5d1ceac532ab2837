// The first link of the page: skips the header.
import { frame } from '#content/pages/frame.ts';
import styles from './SkipLink.module.css';

/** Id of the main element, the target of the link. */
export const mainId = 'content';

/** Visible only while it has focus. */
export function SkipLink() {
  return (
    <a href={`#${mainId}`} className={styles.skip}>
      {frame.skip}
    </a>
  );
}
