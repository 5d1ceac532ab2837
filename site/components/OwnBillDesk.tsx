// The parts of the visitor's own bill that change: an amount and four questions reprint the sample bill, and the result is a reason to call.
import { useEffect, useRef } from 'react';
import { billTotal, billWords } from '#content/bill.ts';
import { linesOf, stepped, type Estimate } from '#content/estimate.ts';
import { features } from '#content/features.ts';
import { money } from '#content/money.ts';
import { ownBill as content } from '#content/pages/own-bill.ts';
import { short } from './Amounts.tsx';
import { Bill } from './Bill.tsx';
import { print, useOwnBill } from './own-bill-state.ts';
import { ShareButton } from './ShareButton.tsx';
import styles from './OwnBill.module.css';

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

/** The bill on paper. An address that someone sent opens here. */
function Print() {
  const { estimate, kind, arrivals } = useOwnBill();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (arrivals > 0) root.current?.scrollIntoView({ behavior: 'instant' });
  }, [arrivals]);
  return (
    <div ref={root} className={styles.print}>
      <div className={`${styles.paper} ${kind === 'sample' ? styles.still : ''}`}>
        {(kind === 'sent' || kind === 'unclear') && (
          <p role="status" className={styles.sent}>
            {content[kind]}
          </p>
        )}
        <Bill lines={linesOf(estimate)} yearly period={kind === 'own' || kind === 'sent' ? billWords.own : billWords.period} />
      </div>
    </div>
  );
}

/** The meaning of the bill in words. On phones, it stays on the screen while buttons are pressed. */
function Sentence() {
  const { before, after, saved } = billTotal(linesOf(useOwnBill().estimate));
  return (
    <p className={styles.sentence} aria-live="polite">
      {saved > 0 ? content.sentence(money(before), money(after), money(12 * saved)) : content.nothing(money(before))}
    </p>
  );
}

/** The words of the demo button. */
export function OwnBillCall() {
  const { saved } = billTotal(linesOf(useOwnBill().estimate));
  return <span>{saved > 0 ? content.call(money(12 * saved)) : content.callAnyway}</span>;
}

/** The note below the demo button, and the address to share. */
export function OwnBillAnswer() {
  const { saved } = billTotal(linesOf(useOwnBill().estimate));
  return (
    <>
      {saved > 0 && <p>{content.fee}</p>}
      <ShareButton content={content.copy} />
    </>
  );
}

/** The buttons, the bill, and its meaning. */
export function OwnBillDesk() {
  const { estimate } = useOwnBill();
  const { amount, without } = estimate;
  const toggle = (slug: string) => print({ amount, without: features.map((feature) => feature.slug).filter((one) => (one === slug) !== without.includes(one)) });
  return (
    <>
      <div data-scripted="" className={styles.controls}>
        <div role="group" aria-label={content.amounts} className={styles.amounts}>
          {content.choices.map((choice) => (
            <button key={choice} type="button" aria-pressed={choice === amount} onClick={() => print({ amount: choice, without })}>
              {short(choice)}
            </button>
          ))}
        </div>
        <div role="group" aria-label={content.nearer} className={styles.exact}>
          <StepButton estimate={estimate} direction={-1} label={content.less} change={print} />
          <strong>{money(amount)}</strong>
          <StepButton estimate={estimate} direction={1} label={content.more} change={print} />
        </div>
        <p id="sounds">{content.sounds}</p>
        <ul aria-labelledby="sounds" className={styles.habits}>
          {features.map(({ slug }) => (
            <li key={slug}>
              <button type="button" aria-pressed={!without.includes(slug)} onClick={() => toggle(slug)}>
                {content.habits[slug]}
              </button>
            </li>
          ))}
        </ul>
      </div>
      <Print />
      <Sentence />
    </>
  );
}
