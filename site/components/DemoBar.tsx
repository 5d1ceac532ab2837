// The demo button of small screens, at the thumb: it sticks to the bottom edge, and rests at the end of the page's content.
import { shell } from '#content/pages/shell.ts';
import { DemoLink } from './DemoLink.tsx';
import styles from './DemoBar.module.css';

/** Stands last in main, so that it covers nothing where the content ends. */
export function DemoBar() {
  return (
    <div data-demo-bar="" className={styles.bar}>
      <DemoLink look="onPen">{shell.demo}</DemoLink>
    </div>
  );
}
