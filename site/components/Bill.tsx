// The sample bill of the hero: every line is struck, shrinks, and the total drops.
import { billTotal, billWords } from '#content/bill.ts';
import { dollars } from '#content/money.ts';
import type { BillLine } from '#content/types.ts';
import { Receipt } from './Receipt.tsx';
import { Instead, Struck } from './Strike.tsx';
import styles from './Bill.module.css';

/** The bar of a line: what is left stays, what is saved is drawn in and taken away. */
function LineBar({ line, longest }: { readonly line: BillLine; readonly longest: number }) {
  const before = (line.before / longest) * 100;
  const after = (line.after / longest) * 100;
  return (
    <svg className={styles.bar} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect className={styles.ghost} width={before} height="4" />
      <rect className={styles.gone} x={after} width={before - after} height="4" />
      <rect className={styles.left} width={after} height="4" />
    </svg>
  );
}

/** The bars at the foot of a receipt, as a scanner would like them. */
function Barcode() {
  return (
    <svg className={styles.barcode} viewBox="0 0 94 10" preserveAspectRatio="none" aria-hidden="true">
      <path d="M0 0h2v10H0zM4 0h1v10H4zM7 0h3v10H7zM12 0h1v10h-1zM15 0h1v10h-1zM18 0h2v10h-2zM22 0h4v10h-4zM28 0h1v10h-1zM31 0h2v10h-2zM35 0h1v10h-1zM38 0h3v10h-3zM43 0h1v10h-1zM46 0h1v10h-1zM49 0h4v10h-4zM55 0h2v10h-2zM59 0h1v10h-1zM62 0h2v10h-2zM66 0h1v10h-1zM69 0h3v10h-3zM74 0h1v10h-1zM77 0h2v10h-2zM81 0h4v10h-4zM87 0h1v10h-1zM90 0h1v10h-1zM92 0h2v10h-2z" />
    </svg>
  );
}

/** The whole bill. */
export function Bill({ lines }: { readonly lines: readonly BillLine[] }) {
  const longest = Math.max(...lines.map((line) => line.before));
  const total = billTotal(lines);
  return (
    <figure className={styles.figure}>
      <Receipt>
        <div className={styles.bill}>
          <p className={styles.head}>
            <strong>{billWords.title}</strong>
            <span>{billWords.period}</span>
          </p>
          <ul className={styles.lines}>
            {lines.map((line) => (
              <li key={line.label} className={styles.line}>
                <span className={styles.label}>{line.label}</span>
                <span className={styles.amounts}>
                  <Struck>{dollars(line.before)}</Struck> <Instead>{dollars(line.after)}</Instead>
                </span>
                <LineBar line={line} longest={longest} />
              </li>
            ))}
          </ul>
          <p className={styles.total}>
            <span>{billWords.total}</span>
            <span className={styles.amounts}>
              <Struck>{dollars(total.before)}</Struck>
            </span>
            <span className={styles.sum}>
              <Instead>{dollars(total.after)}</Instead>
              <svg className={styles.ring} viewBox="0 0 200 70" preserveAspectRatio="none" aria-hidden="true">
                <path pathLength="1" d="M118 4C66 1 8 12 5 36s52 32 104 30 88-14 86-34S150 2 84 7" />
              </svg>
            </span>
          </p>
          <p className={styles.saved}>
            <span>{billWords.saved}</span>
            <span>
              {dollars(total.saved)} · {total.percent}%
            </span>
          </p>
          <Barcode />
        </div>
      </Receipt>
    </figure>
  );
}
