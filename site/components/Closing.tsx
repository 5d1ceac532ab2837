// The closing call: the end of the page in red, torn off the paper above it.
import type { ClosingCall } from '#content/types.ts';
import { DemoLink } from './DemoLink.tsx';
import styles from './Closing.module.css';

/** The last words of a page and the demo button. `part` marks it on feature pages. */
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
