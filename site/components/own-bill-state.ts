// The state of the visitor's own bill, for all islands of the home page. It is in the address, and never leaves the browser.
import { useSyncExternalStore } from 'react';
import { billTotal } from '#content/bill.ts';
import { addressOf, estimateIn, linesOf, sample, type Estimate } from '#content/estimate.ts';
import { money } from '#content/money.ts';
import { ownBill } from '#content/pages/own-bill.ts';
import { branded } from '#content/title.ts';

/** The sample bill, the visitor's own, or one that someone sent. It is unclear if the amount of the address is. */
type Kind = 'sample' | 'own' | 'sent' | 'unclear';

interface OwnBillState {
  readonly estimate: Estimate;
  readonly kind: Kind;
  /** How often an address has asked for the place of the bill. */
  readonly arrivals: number;
}

const start: OwnBillState = { estimate: sample, kind: 'sample', arrivals: 0 };
let state = start;
/** The title of the page, which the sample bill has. */
const pageTitle = typeof document === 'undefined' ? '' : document.title;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The bill. The export has the sample. */
export const useOwnBill = (): OwnBillState =>
  useSyncExternalStore(
    subscribe,
    () => state,
    () => start,
  );

function show(next: OwnBillState): void {
  state = next;
  for (const listener of listeners) listener();
  const { before, after } = billTotal(linesOf(next.estimate));
  const isSample = next.kind === 'sample' || next.kind === 'unclear';
  document.title = isSample ? pageTitle : branded(ownBill.pageTitle(money(before), money(after)));
}

/** Writes the kind into the history entry, so that a reload and the way back keep it. */
const mark = (kind: Kind, address?: string) => window.history.replaceState({ bill: kind }, '', address);

/** Writes the visitor's own bill into the address. */
export const writeAddress = (estimate: Estimate) => mark('own', addressOf(estimate));

/** Prints another bill. */
export function print(estimate: Estimate): void {
  writeAddress(estimate);
  show({ ...state, estimate, kind: 'own' });
}

/** Shows the bill of the address. A link to a place in the page keeps the bill, and the way back to the page itself does not. */
function read(): void {
  const found = estimateIn(window.location.hash);
  if (found === undefined) {
    if (window.location.hash === '' && state.kind !== 'sample') show({ ...start, arrivals: state.arrivals });
    return;
  }
  const known = (window.history.state as { bill?: Kind } | null)?.bill;
  // An entry without a mark is new: a link in another program, or the address bar.
  const arrivals = known === undefined ? state.arrivals + 1 : state.arrivals;
  if (found === 'unclear') {
    mark(found);
    show({ estimate: sample, kind: found, arrivals });
    return;
  }
  const kind = known === 'own' ? known : 'sent';
  mark(kind, kind === 'own' ? addressOf(found) : undefined);
  show({ estimate: found, kind, arrivals });
}

/** Reads the bill of the address, now and when the address changes. */
export function watchAddress(): void {
  read();
  window.addEventListener('hashchange', read);
}
