// A struck old value, and the new value next to it.
import { billWords } from '#content/bill.ts';
import styles from './Strike.module.css';

/** A struck value, read out as "Was …". */
export function Struck({ children }: { readonly children: string }) {
  return (
    <del className={styles.struck}>
      <span className="visually-hidden">{billWords.before} </span>
      {children}
    </del>
  );
}

/** The new value, read out as "Now …". */
export function Instead({ children }: { readonly children: string }) {
  return (
    <ins className={styles.instead}>
      <span className="visually-hidden">{billWords.after} </span>
      {children}
    </ins>
  );
}
