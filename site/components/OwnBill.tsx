// The visitor's own bill: an amount and four questions reprint the sample bill, and the result is a reason to call.
import { Fragment, useEffect, useRef } from 'react';
import { billTotal, billWords } from '#content/bill.ts';
import { linesOf, stepped, type Estimate } from '#content/estimate.ts';
import { features } from '#content/features.ts';
import { money } from '#content/money.ts';
import { ownBill as content } from '#content/pages/own-bill.ts';
import { AmountTargets, short } from './Amounts.tsx';
import { Bill } from './Bill.tsx';
import { DemoLink } from './DemoLink.tsx';
import { Label } from './Label.tsx';
import { print, useOwnBill } from './own-bill-state.ts';
import { PageLink } from './PageLink.tsx';
import { ShareButton } from './ShareButton.tsx';
import { Words } from './Words.tsx';
import styles from './OwnBill.module.css';

/** The element that addresses such as #bill=46000 point to. */
const anchor = 'bill';

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
      <Words>{saved > 0 ? content.sentence(money(before), money(after), money(12 * saved)) : content.nothing(money(before))}</Words>
    </p>
  );
}

/** The demo button, the address to share, and notes. */
function Answer() {
  const { saved } = billTotal(linesOf(useOwnBill().estimate));
  return (
    <div className={styles.answer}>
      <DemoLink>{saved > 0 ? content.call(money(12 * saved)) : content.callAnyway}</DemoLink>
      {saved > 0 && <p>{content.fee}</p>}
      <ShareButton content={content.copy} />
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
  );
}

/** The opening of Benefits: buttons on the left, the bill on the right. Without JavaScript, it is the sample bill without buttons. */
export function OwnBill() {
  const { estimate } = useOwnBill();
  const { amount, without } = estimate;
  const toggle = (slug: string) => print({ amount, without: features.map((feature) => feature.slug).filter((one) => (one === slug) !== without.includes(one)) });
  return (
    <div id={anchor} tabIndex={-1} className={styles.own}>
      <AmountTargets />
      <div className={styles.words}>
        <Label>{content.label}</Label>
        <h2>{content.title}</h2>
      </div>
      <div className={styles.zone}>
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
          <p id="sounds">
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
        </div>
        <Print />
        <Sentence />
      </div>
      <Answer />
    </div>
  );
}
