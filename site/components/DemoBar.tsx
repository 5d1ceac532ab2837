// The bar of small screens at the bottom edge: the menu and the demo button, within reach of a thumb.
import { frame } from '#content/pages/frame.ts';
import { DemoLink } from './DemoLink.tsx';
import { phoneMenuId } from './menu-ids.ts';
import styles from './DemoBar.module.css';

/** It comes when the button of the opening is out of view, and leaves when the closing call is on the screen. */
export function DemoBar() {
  return (
    <div data-demo-bar="" className={styles.bar}>
      <button type="button" className={styles.menu} popoverTarget={phoneMenuId}>
        {frame.menu}
      </button>
      <DemoLink look="onPen">{frame.demo}</DemoLink>
    </div>
  );
}
