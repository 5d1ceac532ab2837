// The closing call to action: a red block with a torn edge at the end of the page.
import type { ClosingCall } from '#content/types.ts';
import { DemoLink } from './DemoLink.tsx';
import styles from './Closing.module.css';

/** Text and demo button. `part` names the section on feature pages. */
export function Closing({ content, part }: { readonly content: ClosingCall; readonly part?: string }) {
  return (
    <section className={styles.closing} data-part={part}>
      <div className={`wrap ${styles.row}`}>
        <h2>{content.title}</h2>
        <div className={styles.side}>
          <p>{content.text}</p>
          <DemoLink look="onPen">{content.button}</DemoLink>
        </div>
      </div>
    </section>
  );
}
