// Animates the bill between pages with a view transition: the bills of both pages have the same transition name.
import { routeOf } from '#content/routes.ts';
import { isLoaded, loadScreen } from './screens.ts';

let shown: string | undefined;
let settled: (() => void) | undefined;

const inSight = (element: Element | null): element is HTMLElement => {
  const { top = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
  return bottom > 0 && top < window.innerHeight;
};

/** Sets the transition name for the page at `other`: on the bill, or on the card of that page if the bill is not visible. */
function choose(other: string | undefined): void {
  const root = document.documentElement;
  document.querySelector('[data-card][data-carried]')?.removeAttribute('data-carried');
  delete root.dataset['carried'];
  if (inSight(document.querySelector('[data-bill]'))) return;
  root.dataset['carried'] = '';
  const card = document.querySelector(`[data-card="${other?.slice(1) ?? ''}"]`);
  if (inSight(card)) card.dataset['carried'] = '';
}

/** Called when a page is rendered and scrolled to its position. */
export function arrived(path: string): void {
  if (shown !== undefined && shown !== path) {
    choose(shown);
    // Navigating back works immediately.
    loadScreen(shown).catch(() => undefined);
  }
  shown = path;
  settled?.();
  settled = undefined;
}

/** Opens the page at `path` with `change`, without animation if reduced motion is set or transitions are unsupported. */
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
  // A transition may be skipped, by the next one or in a hidden tab, but its page is still opened.
  ready.catch(() => undefined);
  finished.catch(() => undefined);
}

/** Handles back and forward before the router, which gets the event after the old page is captured. */
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
