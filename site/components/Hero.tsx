// The opening of the home page: the promise on the left, the bill on the right.
import { billWords } from '#content/bill.ts';
import { linesOf } from '#content/estimate.ts';
import type { HomeContent } from '#content/types.ts';
import { Amounts } from './Amounts.tsx';
import { Bill } from './Bill.tsx';
import { DemoLink } from './DemoLink.tsx';
import { JumpLink } from './JumpLink.tsx';
import { Label } from './Label.tsx';
import { useOwnBill } from './OwnBillState.tsx';
import { PageLink } from './PageLink.tsx';
import { Slip } from './Slip.tsx';
import { Words } from './Words.tsx';
import styles from './Hero.module.css';

/** The sample bill, or the visitor's own in its place. */
function HeroBill() {
  const { estimate, kind } = useOwnBill();
  return kind === 'own' || kind === 'sent' ? <Bill lines={linesOf(estimate)} period={billWords.own} /> : <Bill />;
}

/** `jump` is the anchor of the link See How It Works, and `choices` are the amounts to print. */
export function Hero({ content, jump, choices }: { readonly content: HomeContent['hero']; readonly jump: string; readonly choices: readonly number[] }) {
  const amounts = <Amounts question={content.print} choices={choices} />;
  return (
    <div className={`wrap ${styles.hero}`} data-opening="">
      <div className={styles.words}>
        <Label>{content.label}</Label>
        <h1>
          {content.title.map((line) => (
            <span key={line}>{line} </span>
          ))}
        </h1>
        <div data-slip="" className={styles.phone}>
          <Slip />
          {amounts}
        </div>
        <p className={styles.text}><Words>{content.text}</Words></p>
        <div className={styles.actions}>
          <DemoLink>{content.demo}</DemoLink>
          <JumpLink anchor={jump}>{content.how}</JumpLink>
        </div>
        <dl className={styles.figures}>
          {content.figures.map((figure) => (
            <div key={figure.label}>
              <dt>{figure.label}</dt>
              <dd>
                <PageLink to={content.figuresNote}><Words>{figure.value}</Words></PageLink>
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <div data-receipt="" className={styles.bill}>
        <HeroBill />
        {amounts}
      </div>
    </div>
  );
}
