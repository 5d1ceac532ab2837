// The sample bill of all pages. The home page strikes all its lines, a feature page only its own. Each line links to its page.
import { billTotal, billWords } from '#content/bill.ts';
import { features, pathOf } from '#content/features.ts';
import { dollars } from '#content/money.ts';
import type { BillLine, Feature } from '#content/types.ts';
import { PageLink } from './PageLink.tsx';
import { Receipt } from './Receipt.tsx';
import { Instead, Struck } from './Strike.tsx';
import styles from './Bill.module.css';

const longest = Math.max(...features.map(({ line }) => line.before));

/** The bar of a line, in three SVGs, which browsers can move without repainting: the old, removed and remaining part. */
function LineBar({ line: { before, after }, struck }: { readonly line: BillLine; readonly struck: boolean }) {
  const parts = struck ? ([['ghost', before], ['gone', before], ['left', after]] as const) : ([['left', before]] as const);
  return (
    <span className={styles.bar}>
      {parts.map(([part, amount]) => (
        <svg key={part} className={styles[part]} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect width={(amount / longest) * 100} height="4" />
        </svg>
      ))}
    </span>
  );
}

/** A line of the bill. It links to the page of its feature, unless it is on that page. */
function Line({ feature, struck, here }: { readonly feature: Feature; readonly struck: boolean; readonly here: boolean }) {
  const { line } = feature;
  return (
    <li className={`${styles.line} ${struck ? '' : styles.quiet}`}>
      {here ? (
        <strong className={styles.label}>{line.label}</strong>
      ) : (
        <PageLink to={pathOf(feature)} className={styles.label}>
          {line.label}
          <span className="visually-hidden">: {feature.label}</span>
        </PageLink>
      )}
      <LineBar line={line} struck={struck} />
      {struck ? (
        <span className={styles.amounts}>
          <Struck>{dollars(line.before)}</Struck> <Instead>{dollars(line.after)}</Instead>
        </span>
      ) : (
        <span className={styles.due}>{dollars(line.before)}</span>
      )}
    </li>
  );
}

/** The total, with a ring around it. `was` is shown until the animation of the ring. */
function Sum({ children, was }: { readonly children: string; readonly was?: string }) {
  return (
    <span className={styles.sum} data-was={was}>
      {was === undefined ? <strong>{children}</strong> : <Instead>{children}</Instead>}
      <span className={styles.ring}>
        <svg viewBox="0 0 200 70" preserveAspectRatio="none" aria-hidden="true">
          <path d="M118 4C66 1 8 12 5 36s52 32 104 30 88-14 86-34S150 2 84 7" />
        </svg>
      </span>
    </span>
  );
}

/** A barcode at the bottom of the receipt. */
function Barcode() {
  return (
    <svg className={styles.barcode} viewBox="0 0 94 10" preserveAspectRatio="none" aria-hidden="true">
      <path d="M0 0h2v10H0zM4 0h1v10H4zM7 0h3v10H7zM12 0h1v10h-1zM15 0h1v10h-1zM18 0h2v10h-2zM22 0h4v10h-4zM28 0h1v10h-1zM31 0h2v10h-2zM35 0h1v10h-1zM38 0h3v10h-3zM43 0h1v10h-1zM46 0h1v10h-1zM49 0h4v10h-4zM55 0h2v10h-2zM59 0h1v10h-1zM62 0h2v10h-2zM66 0h1v10h-1zM69 0h3v10h-3zM74 0h1v10h-1zM77 0h2v10h-2zM81 0h4v10h-4zM87 0h1v10h-1zM90 0h1v10h-1zM92 0h2v10h-2z" />
    </svg>
  );
}

/** The totals, before and after. */
function Total() {
  const total = billTotal();
  return (
    <>
      <p className={styles.total}>
        <span>{billWords.total}</span> <Struck>{dollars(total.before)}</Struck> <Sum was={dollars(total.before)}>{dollars(total.after)}</Sum>
      </p>
      <p className={styles.saved}>
        <span>{billWords.saved}</span> <span>{`${dollars(total.saved)} · ${total.percent}%`}</span>
      </p>
    </>
  );
}

/** The whole bill, with all lines struck, or with the line of one feature on its page. */
export function Bill({ only }: { readonly only?: Feature }) {
  return (
    <figure className={styles.figure} data-bill="">
      <Receipt>
        <div className={styles.bill}>
          <p className={styles.head}>
            <strong>{billWords.title}</strong>
            <span>{billWords.period}</span>
          </p>
          <ul className={styles.lines}>
            {features.map((feature) => (
              <Line key={feature.slug} feature={feature} struck={only === undefined || feature === only} here={feature === only} />
            ))}
          </ul>
          {only === undefined ? (
            <Total />
          ) : (
            <p className={styles.total}>
              <span>{billWords.saved}</span> <Sum>{dollars(billTotal([only.line]).saved)}</Sum>
            </p>
          )}
          <Barcode />
        </div>
      </Receipt>
    </figure>
  );
}
