// Amounts that print the visitor's own bill in place. Without JavaScript, they jump to the bill in Benefits.
import type { MouseEvent } from 'react';
import { addressOf, sample } from '#content/estimate.ts';
import { useOwnBill } from './OwnBillState.tsx';
import styles from './Amounts.module.css';

/** `$50k` */
export const short = (amount: number): string => `$${amount / 1000}k`;

const anchorOf = (amount: number): string => addressOf({ amount, without: [] }).slice(1);
const others = (choices: readonly number[]): readonly number[] => choices.filter((choice) => choice !== sample.amount);

/** The places that the amounts jump to. */
export function AmountTargets({ choices }: { readonly choices: readonly number[] }) {
  return others(choices).map((amount) => <span key={amount} id={anchorOf(amount)} className={styles.target} />);
}

/** A question, and a link for each amount but that of the sample bill. */
export function Amounts({ question, choices }: { readonly question: string; readonly choices: readonly number[] }) {
  const { estimate, print } = useOwnBill();
  return (
    <p className={styles.amounts}>
      <span>{question}</span>{' '}
      {others(choices).map((amount) => {
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
