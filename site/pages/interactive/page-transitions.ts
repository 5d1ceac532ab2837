// Animates the bill between pages with a view transition: the bills of both pages have the same transition name.
import { routeOf } from '#content/routes.ts';
import { isLoaded, loadScreen } from './screens.ts';

let shown: string | undefined;
let settled: (() => void) | undefined;
/** Whether the browser animates the current navigation, as after a swipe. */
let swiped = false;

/** Reads from each popstate event whether the browser animates it. The router gets the event later. */
export function observeSwipes(): void {
  window.addEventListener('popstate', (event) => {
    swiped = event.hasUAVisualTransition;
  }, { capture: true });
}

const inSight = (element: Element | null): element is HTMLElement => {
  const { top = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
  return bottom > 0 && top < window.innerHeight;
};

/** Sets the transition name for the page at `other`: on the bill, or on the card of that page if the bill is not visible. */
function nameElements(other: string | undefined): void {
  const root = document.documentElement;
  document.querySelector('[data-card][data-carried]')?.removeAttribute('data-carried');
  delete root.dataset['carried'];
  if (inSight(document.querySelector('[data-bill]'))) return;
  root.dataset['carried'] = '';
  const card = document.querySelector(`[data-card="${other?.slice(1) ?? ''}"]`);
  if (inSight(card)) card.dataset['carried'] = '';
}

/** Called when a page is rendered and scrolled to its position. */
export function finishTransition(path: string): void {
  if (shown !== undefined && shown !== path) {
    nameElements(shown);
    // Navigating back works immediately.
    loadScreen(shown).catch(() => undefined);
  }
  shown = path;
  settled?.();
  settled = undefined;
}

/** Whether the change of the page is animated: to another page whose code is loaded. */
function isAnimated(path: string | undefined): path is string {
  if (path === undefined || path === shown || !isLoaded(path)) return false;
  return 'startViewTransition' in document && !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Shows the page at `pathname` with `change`, in a view transition if possible. */
export function transition(pathname: string, change: () => void): void {
  const path = routeOf(pathname)?.path;
  const byBrowser = swiped;
  swiped = false;
  if (byBrowser || !isAnimated(path)) {
    change();
    return;
  }
  nameElements(path);
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
