// Sets title, announcement, scroll position and focus after navigation to another page.
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { mainId } from '#components/SkipLink.tsx';
import { notFound } from '#content/pages/not-found.ts';
import { routeOf } from '#content/routes.ts';
import { settings } from '#content/settings.ts';
import { titleOf } from '#content/title.ts';
import { finishTransition } from './page-transitions.ts';
import { positionOf, usePositions } from './scroll-positions.ts';

function describe(path: string): string {
  const route = routeOf(path);
  const title = titleOf(route);
  document.title = title;
  document.querySelector('meta[name="description"]')?.setAttribute('content', route?.description ?? notFound.description);
  document.querySelector('link[rel="canonical"]')?.setAttribute('href', settings.origin + (route?.path ?? path));
  return title;
}

/**
 * Returns the element of a fragment: its id is the fragment, raw or decoded, up to a value such as in `#bill=5000`. An invalid
 * one such as `#100%` is ignored.
 */
function targetOf(hash: string): HTMLElement | null {
  const [fragment = ''] = hash.slice(1).split('=');
  if (fragment === '') return null;
  const exact = document.getElementById(fragment);
  try {
    return exact ?? document.getElementById(decodeURIComponent(fragment));
  } catch {
    return exact;
  }
}

function scrollAndFocus(hash: string, position: number | undefined, samePage: boolean): void {
  const target = targetOf(hash);
  if (position !== undefined) {
    window.scrollTo({ top: position, behavior: 'instant' });
  } else if (target !== null) {
    target.scrollIntoView({ behavior: samePage ? 'auto' : 'instant' });
    target.focus({ preventScroll: true });
  } else {
    window.scrollTo({ top: 0, behavior: 'instant' });
  }
  if (!samePage && (target === null || position !== undefined)) document.getElementById(mainId)?.focus({ preventScroll: true });
}

/** Repeats the clicks before React was there, which start.js recorded. React renders after each of them. */
async function repeatEarlyClicks(): Promise<void> {
  const { earlyClicks = [] } = window;
  window.earlyClicks = undefined;
  for (const button of earlyClicks) {
    await undefined;
    button?.click();
  }
}

/** Renders only the announcement for screen readers. */
export function Arrival() {
  const { pathname, hash, key } = useLocation();
  const type = useNavigationType();
  const [announced, setAnnounced] = useState('');
  const last = useRef({ pathname, key });
  usePositions(key);

  // The router now handles the history instead of start.js.
  useLayoutEffect(() => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    window.onpopstate = null;
  }, []);

  useLayoutEffect(() => {
    const here = routeOf(pathname)?.path ?? pathname;
    if (last.current.key === key && last.current.pathname === pathname) {
      finishTransition(here);
      return;
    }
    const samePage = last.current.pathname === pathname;
    last.current = { pathname, key };
    if (!samePage) setAnnounced(describe(pathname));
    scrollAndFocus(hash, type === 'POP' ? positionOf(key) : undefined, samePage);
    finishTransition(here);
  }, [pathname, hash, key, type]);

  useEffect(() => {
    void repeatEarlyClicks();
  }, []);

  useEffect(() => {
    if (routeOf(pathname) === undefined) console.error(`404: no page at ${pathname}`);
  }, [pathname]);

  return (
    <p className="visually-hidden" role="status">
      {announced}
    </p>
  );
}
