// Carries the bill from page to page: a page is opened inside a view transition, and what stands for the bill on both sides is one thing.
import { routeOf } from '#content/routes.ts';
import { isLoaded, loadScreen } from './screens.ts';

let shown: string | undefined;
let settled: (() => void) | undefined;

const inSight = (element: Element | null): element is HTMLElement => {
  const { top = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
  return bottom > 0 && top < window.innerHeight;
};

/** Says what is carried to or from the page at `other`: the bill, or where it is out of sight, the card of that page. */
function choose(other: string | undefined): void {
  const root = document.documentElement;
  document.querySelector('[data-card][data-carried]')?.removeAttribute('data-carried');
  delete root.dataset['carried'];
  if (inSight(document.querySelector('[data-bill]'))) return;
  root.dataset['carried'] = '';
  const card = document.querySelector(`[data-card="${other?.slice(1) ?? ''}"]`);
  if (inSight(card)) card.dataset['carried'] = '';
}

/** To be called when a page is drawn and scrolled to where it is to be seen. */
export function arrived(path: string): void {
  if (shown !== undefined && shown !== path) {
    choose(shown);
    // The way back is open at once.
    loadScreen(shown).catch(() => undefined);
  }
  shown = path;
  settled?.();
  settled = undefined;
}

/** Goes to the page at `path` by `change`, at once where motion is not wanted or not to be had. */
export function carry(path: string, change: () => void): void {
  if (!('startViewTransition' in document) || window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
    change();
    return;
  }
  choose(path);
  const { ready, finished } = document.startViewTransition(
    () =>
      new Promise<void>((done) => {
        settled?.();
        settled = done;
        change();
      }),
  );
  // One that is skipped, by the next one or by a hidden tab, has still led to its page.
  ready.catch(() => undefined);
  finished.catch(() => undefined);
}

/** Back and forward, to be heard before the router does: it is told once the page that is left has been captured. */
export function carryBack(): void {
  let replayed = false;
  const onPop = (event: PopStateEvent) => {
    const path = routeOf(window.location.pathname)?.path;
    if (replayed || event.hasUAVisualTransition || path === undefined || path === shown || !isLoaded(path)) return;
    event.stopImmediatePropagation();
    carry(path, () => {
      replayed = true;
      window.dispatchEvent(new PopStateEvent('popstate', { state: event.state as unknown }));
      replayed = false;
    });
  };
  window.addEventListener('popstate', onPop, { capture: true });
}
