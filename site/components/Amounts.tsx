// Amounts that print the visitor's own bill in place. Without JavaScript, they jump to the bill in Benefits.
import type { MouseEvent } from 'react';
import { addressOf, sample } from '#content/estimate.ts';
import { ownBill } from '#content/pages/own-bill.ts';
import { print, useOwnBill } from './own-bill-state.ts';
import styles from './Amounts.module.css';

/** `$50k` */
export const short = (amount: number): string => `$${amount / 1000}k`;

const anchorOf = (amount: number): string => addressOf({ amount, without: [] }).slice(1);
const others = ownBill.choices.filter((choice) => choice !== sample.amount);

/** The places that the amounts jump to. */
export function AmountTargets() {
  return others.map((amount) => <span key={amount} id={anchorOf(amount)} className={styles.target} />);
}

/** A question, and a link for each amount but that of the sample bill. */
export function Amounts() {
  const { estimate } = useOwnBill();
  return (
    <p className={styles.amounts}>
      <span>{ownBill.print}</span>{' '}
      {others.map((amount) => {
        const printHere = (event: MouseEvent) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          print({ ...estimate, amount });
        };
        return (
          <a key={amount} href={`#${anchorOf(amount)}`} aria-current={amount === estimate.amount || undefined} onClick={printHere}>
            {short(amount)}
          </a>
        );
      })}
    </p>
  );
}
