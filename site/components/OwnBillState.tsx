// The state of the visitor's own bill, for the opening and for Benefits. It is in the address, and never leaves the browser.
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { billTotal } from '#content/bill.ts';
import { addressOf, estimateIn, linesOf, sample, type Estimate } from '#content/estimate.ts';
import { money } from '#content/money.ts';
import type { OwnBillContent } from '#content/interactive-types.ts';
import { branded } from '#content/title.ts';

/** A bill: the sample, the visitor's own, or one that someone sent. It is unclear if the amount of the address is. */
interface Shown {
  readonly estimate: Estimate;
  readonly kind: 'sample' | 'own' | 'sent' | 'unclear';
  /** How often an address has asked for the place of the bill. */
  readonly arrivals: number;
}

interface OwnBillState extends Shown {
  readonly print: (estimate: Estimate) => void;
}

const start: Shown = { estimate: sample, kind: 'sample', arrivals: 0 };
const State = createContext<OwnBillState>({ ...start, print: () => undefined });

/** Marks the history entry as the visitor's own, so that a reload does not take it for a bill that someone sent. */
export const writeAddress = (estimate: Estimate) => window.history.replaceState({ ...window.history.state, own: true }, '', addressOf(estimate));

const isOwn = (): boolean => (window.history.state as { own?: boolean } | null)?.own === true;

/** Whether the document has just been opened. */
let opening = true;

/** Reads the bill of the address, now and when the address changes. Only the parts that use it render again. */
export function OwnBillProvider({ content, children }: { readonly content: OwnBillContent; readonly children: ReactNode }) {
  const [shown, show] = useState(start);
  const { estimate, kind } = shown;
  useEffect(() => {
    const read = (isSent: boolean, comes: boolean) => {
      const found = estimateIn(window.location.hash);
      if (found === undefined) return;
      const sent = isSent && !isOwn();
      if (!sent && found !== 'unclear') writeAddress(found);
      show(({ arrivals }) => ({
        estimate: found === 'unclear' ? sample : found,
        kind: found === 'unclear' ? found : sent ? 'sent' : 'own',
        arrivals: comes ? arrivals + 1 : arrivals,
      }));
    };
    // An amount of the opening that was pressed before React was there has changed the address. A reload and the way back keep
    // their position.
    read(window.location.hash === window.openedHash, opening && window.scrollY === 0);
    opening = false;
    // An entry without a state is new: a link in another program, or the address bar, and not the way back.
    const change = () => read(true, window.history.state === null);
    window.addEventListener('hashchange', change);
    return () => window.removeEventListener('hashchange', change);
  }, []);
  useEffect(() => {
    if (kind === 'sample' || kind === 'unclear') return;
    const { before, after } = billTotal(linesOf(estimate));
    document.title = branded(content.pageTitle(money(before), money(after)));
  }, [content, estimate, kind]);
  const state = useMemo(() => {
    const print = (next: Estimate) => {
      writeAddress(next);
      show(({ arrivals }) => ({ estimate: next, kind: 'own', arrivals }));
    };
    return { ...shown, print };
  }, [shown]);
  return <State value={state}>{children}</State>;
}

/** The bill, and how to print another. */
export const useOwnBill = (): OwnBillState => useContext(State);
