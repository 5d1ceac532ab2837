// Opening a page: its code is loaded before the address changes, so that address and page always agree.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Opening } from '#components/PageLink.tsx';
import { routeOf } from '#content/routes.ts';
import { isLoaded, loadScreen } from './screens.ts';

/** How links open pages, and whether one is being waited for. A page whose code does not come is opened by the browser itself. */
export function useOpening(): { opening: Opening; waiting: boolean } {
  const navigate = useNavigate();
  const { key } = useLocation();
  const [waiting, setWaiting] = useState(false);
  const last = useRef<object>(undefined);

  const waitFor = useCallback((path: string): Promise<unknown> | undefined => {
    const route = routeOf(path);
    if (route?.kind !== 'interactive' || isLoaded(route.path)) return undefined;
    setWaiting(true);
    return loadScreen(route.path);
  }, []);

  // Arriving anywhere ends the wait, also for a link that was chosen before.
  useEffect(() => {
    last.current = undefined;
    setWaiting(false);
  }, [key]);

  // Going back changes the address first: React shows the page as soon as its code is there.
  useEffect(() => {
    const onPop = () => void waitFor(window.location.pathname);
    window.addEventListener('popstate', onPop);
    return () => window.removeEventListener('popstate', onPop);
  }, [waitFor]);

  const opening = useMemo<Opening>(
    () => ({
      prefetch: (path) => {
        // A page that cannot be fetched ahead is opened by the browser.
        loadScreen(path).catch(() => undefined);
      },
      open: (path, to) => {
        const load = waitFor(path);
        if (load === undefined) return false;
        const attempt = {};
        last.current = attempt;
        const go = (how: (to: string) => void) => () => {
          if (last.current === attempt) how(to);
        };
        load.then(
          go((address) => void navigate(address)),
          go((address) => window.location.assign(address)),
        );
        return true;
      },
    }),
    [navigate, waitFor],
  );

  return { opening, waiting };
}
