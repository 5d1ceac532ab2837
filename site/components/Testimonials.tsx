// The three sample quotes of the home page, side by side.
import type { Testimonial } from '#content/types.ts';
import { Quote } from './Quote.tsx';
import styles from './Testimonials.module.css';

/** A list of quotes. */
export function Testimonials({ items }: { readonly items: readonly Testimonial[] }) {
  return (
    <ul className={styles.quotes}>
      {items.map((item) => (
        <li key={item.author}>
          <Quote item={item} />
        </li>
      ))}
    </ul>
  );
}
