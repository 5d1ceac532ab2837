// The visitor's own bill, around the parts that change. Those are islands.
import { Fragment, type ReactNode } from 'react';
import { aroundOwnBill } from '#content/pages/own-bill.ts';
import { AmountTargets } from './Amounts.tsx';
import { DemoLink } from './DemoLink.tsx';
import { Label } from './Label.tsx';
import { PageLink } from './PageLink.tsx';
import styles from './OwnBill.module.css';

/** The element that addresses such as #bill=46000 point to. */
const anchor = 'bill';

interface OwnBillProps {
  readonly desk: ReactNode;
  /** The words of the demo button, and what is below it. */
  readonly call: ReactNode;
  readonly answer: ReactNode;
}

/** The opening of Benefits: buttons on the left, the bill on the right. Without JavaScript, it is the sample bill without buttons. */
export function OwnBill({ desk, call, answer }: OwnBillProps) {
  const { label, title, note, links } = aroundOwnBill;
  return (
    <div id={anchor} tabIndex={-1} className={styles.own}>
      <AmountTargets />
      <div className={styles.words}>
        <Label>{label}</Label>
        <h2>{title}</h2>
      </div>
      <div className={styles.zone}>{desk}</div>
      <div className={styles.answer}>
        <DemoLink>{call}</DemoLink>
        {answer}
        <p className={styles.note}>
          {note}{' '}
          {links.map((link, index) => (
            <Fragment key={link.href}>
              {index > 0 && ' · '}
              <PageLink to={link.href}>{link.label}</PageLink>
            </Fragment>
          ))}
        </p>
      </div>
    </div>
  );
}
