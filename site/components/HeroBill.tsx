// The bill of the opening, on wide screens.
import { billWords } from '#content/bill.ts';
import { linesOf } from '#content/estimate.ts';
import { Bill } from './Bill.tsx';
import { useOwnBill } from './own-bill-state.ts';

/** The sample bill, or the visitor's own in its place. */
export function HeroBill() {
  const { estimate, kind } = useOwnBill();
  return kind === 'own' || kind === 'sent' ? <Bill lines={linesOf(estimate)} period={billWords.own} /> : <Bill />;
}
