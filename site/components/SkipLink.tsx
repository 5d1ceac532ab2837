// The first stop of the Tab key: past the header, to the content.
import { shell } from '#content/pages/shell.ts';
import styles from './SkipLink.module.css';

/** Id of the main element that the link leads to. */
export const mainId = 'content';

/** Seen only while it has focus. */
export function SkipLink() {
  return (
    <a href={`#${mainId}`} className={styles.skip}>
      {shell.skip}
    </a>
  );
}
