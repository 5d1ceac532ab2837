// The demo button of small screens: it sticks to the bottom edge, and stays at the end of the content.
import { shell } from '#content/pages/shell.ts';
import { DemoLink } from './DemoLink.tsx';
import styles from './DemoBar.module.css';

/** The last element of main, so that it does not cover the end of the content. */
export function DemoBar() {
  return (
    <div data-demo-bar="" className={styles.bar}>
      <DemoLink look="onPen">{shell.demo}</DemoLink>
    </div>
  );
}
