// The visitor's own bill: an amount and four questions reprint the sample bill. The state is in the address, and never leaves the browser.
import { Fragment, useEffect, useReducer, useRef, useState } from 'react';
import { billTotal, billWords } from '#content/bill.ts';
import { addressOf, estimateIn, linesOf, sample, stepped, type Estimate } from '#content/estimate.ts';
import { features } from '#content/features.ts';
import { money } from '#content/money.ts';
import type { OwnBillContent } from '#content/interactive-types.ts';
import { Bill } from './Bill.tsx';
import { Label } from './Label.tsx';
import { PageLink } from './PageLink.tsx';
import { Words } from './Words.tsx';
import styles from './OwnBill.module.css';

/** The element that addresses such as #bill=46000 point to. */
const anchor = 'bill';

/** Whether the document has just been opened. */
let opening = true;

/** A bill, and how often it has been printed again. */
interface Print {
  readonly estimate: Estimate;
  readonly prints: number;
}

const writeAddress = (estimate: Estimate) => window.history.replaceState(window.history.state, '', addressOf(estimate));

const printed = ({ prints }: Print, estimate: Estimate): Print => ({ estimate, prints: prints + 1 });

/** Reads the bill from the address, and writes it there. */
function useEstimate() {
  const root = useRef<HTMLDivElement>(null);
  const [{ estimate, prints }, print] = useReducer(printed, { estimate: sample, prints: 0 });
  useEffect(() => {
    const read = () => {
      const found = estimateIn(window.location.hash);
      if (found !== undefined) print(found);
      return found !== undefined;
    };
    // A sent address shows its bill. A reload and the way back keep their position.
    if (read() && opening && window.scrollY === 0) root.current?.scrollIntoView({ behavior: 'instant' });
    opening = false;
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  const change = (next: Estimate) => {
    print(next);
    writeAddress(next);
  };
  return { root, estimate, prints, change };
}

/** Copies the address of the bill, and says so. If the browser refuses, the address of the page is the one to copy. */
function CopyButton({ content, estimate }: { readonly content: OwnBillContent['copy']; readonly estimate: Estimate }) {
  const [result, setResult] = useState<{ readonly estimate: Estimate; readonly label: string }>();
  const copy = async () => {
    writeAddress(estimate);
    const label = await navigator.clipboard.writeText(window.location.href).then(
      () => content.done,
      () => content.failed,
    );
    setResult({ estimate, label });
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {result?.estimate === estimate ? result.label : content.label}
    </button>
  );
}

/** A button for the next amount up or down. At the limit it does nothing, but keeps the focus. */
function StepButton({ estimate, direction, label, change }: { readonly estimate: Estimate; readonly direction: 1 | -1; readonly label: string; readonly change: (next: Estimate) => void }) {
  const amount = stepped(estimate.amount, direction);
  const atLimit = amount === estimate.amount;
  return (
    <button type="button" aria-label={label} aria-disabled={atLimit || undefined} onClick={() => atLimit || change({ ...estimate, amount })}>
      {direction === 1 ? '+' : '−'}
    </button>
  );
}

/** The opening of Benefits: buttons on the left, the bill on the right. Without JavaScript, it is the sample bill without buttons. */
export function OwnBill({ content, label }: { readonly content: OwnBillContent; readonly label: string }) {
  const { root, estimate, prints, change } = useEstimate();
  const { amount, without } = estimate;
  const lines = linesOf(estimate);
  const total = billTotal(lines);
  const toggle = (slug: string) => change({ amount, without: features.map((feature) => feature.slug).filter((one) => (one === slug) !== without.includes(one)) });
  return (
    <div ref={root} id={anchor} tabIndex={-1} className={styles.own}>
      <div className={styles.words}>
        <Label>{label}</Label>
        <h2>{content.title}</h2>
        <div data-scripted="" className={styles.controls}>
          <div role="group" aria-label={content.amounts} className={styles.amounts}>
            {content.choices.map((choice) => (
              <button key={choice} type="button" aria-pressed={choice === amount} onClick={() => change({ amount: choice, without })}>
                {`$${choice / 1000}k`}
              </button>
            ))}
          </div>
          <div role="group" aria-label={content.exact} className={styles.exact}>
            <StepButton estimate={estimate} direction={-1} label={content.less} change={change} />
            <strong>{money(amount)}</strong>
            <StepButton estimate={estimate} direction={1} label={content.more} change={change} />
          </div>
        </div>
        <p className={styles.sentence} aria-live="polite">
          <Words>{total.saved > 0 ? content.sentence(money(total.before), money(total.after), money(12 * total.saved)) : content.nothing(money(total.before))}</Words>
        </p>
        <div data-scripted="" className={styles.controls}>
          <p id="sounds" className={styles.sounds}>
            {content.sounds}
          </p>
          <ul aria-labelledby="sounds" className={styles.habits}>
            {features.map(({ slug }) => (
              <li key={slug}>
                <button type="button" aria-pressed={!without.includes(slug)} onClick={() => toggle(slug)}>
                  {content.habits[slug]}
                </button>
              </li>
            ))}
          </ul>
          <CopyButton content={content.copy} estimate={estimate} />
        </div>
        <p className={styles.note}>
          {content.note}{' '}
          {content.links.map((link, index) => (
            <Fragment key={link.href}>
              {index > 0 && ' · '}
              <PageLink to={link.href}>{link.label}</PageLink>
            </Fragment>
          ))}
        </p>
      </div>
      <div key={prints} className={`${styles.print} ${prints > 0 ? styles.reprinted : ''}`}>
        <Bill own={lines} period={prints > 0 ? billWords.own : billWords.period} />
      </div>
    </div>
  );
}
