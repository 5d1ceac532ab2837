// A sample quote and its author.
import type { Testimonial } from '#content/types.ts';
import { Words } from './Words.tsx';
import styles from './Quote.module.css';

/** With a label, it is the large quote of a feature page. */
export function Quote({ item, label }: { readonly item: Testimonial; readonly label?: string }) {
  return (
    <figure className={`${styles.quote} ${label === undefined ? '' : styles.large}`}>
      <blockquote>
        <p><Words>{item.quote}</Words></p>
      </blockquote>
      <figcaption>
        <strong>{item.author}</strong>
        <span>
          {item.title}, {item.company}
        </span>
        {label !== undefined && <span>{label}</span>}
      </figcaption>
    </figure>
  );
}
