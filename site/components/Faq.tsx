// Questions and answers, all open, so that a search in the page finds them.
import type { TitledText } from '#content/types.ts';
import { Words } from './Words.tsx';
import styles from './Faq.module.css';

/** A list of questions with their answers. */
export function Faq({ items }: { readonly items: readonly TitledText[] }) {
  return (
    <ul className={styles.faq}>
      {items.map((item) => (
        <li key={item.title}>
          <h3><Words>{item.title}</Words></h3>
          <p><Words>{item.text}</Words></p>
        </li>
      ))}
    </ul>
  );
}
