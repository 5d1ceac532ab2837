// Opening a page: its code is loaded before the address changes, so that address and page always agree.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Opening } from '#components/PageLink.tsx';
import { routeOf } from '#content/routes.ts';
import { carry } from './carrying.ts';
import { isLoaded, loadScreen } from './screens.ts';

/** How links open pages, and whether one is being waited for. A page whose code does not come is opened by the browser itself. */
export function useOpening(): { opening: Opening; waiting: boolean } {
  const navigate = useNavigate();
  const { key } = useLocation();
  // Where the visitor was when the wait began: arriving anywhere else ends it.
  const [waitsAt, setWaitsAt] = useState<string>();
  const here = useRef(key);
  const last = useRef(0);

  useLayoutEffect(() => {
    here.current = key;
  }, [key]);

  const waitFor = useCallback((path: string): Promise<unknown> | undefined => {
    const route = routeOf(path);
    if (route?.kind !== 'interactive' || isLoaded(route.path)) return undefined;
    setWaitsAt(here.current);
    return loadScreen(route.path);
  }, []);

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
        const choice = ++last.current;
        if (load === undefined) {
          const page = routeOf(path)?.path;
          if (page === undefined || page === routeOf(window.location.pathname)?.path) return false;
          carry(page, () => void navigate(to));
          return true;
        }
        const from = here.current;
        const go = (how: (to: string) => void) => () => {
          if (last.current === choice && here.current === from) how(to);
        };
        load.then(
          go((address) => carry(path, () => void navigate(address))),
          go((address) => window.location.assign(address)),
        );
        return true;
      },
    }),
    [navigate, waitFor],
  );

  return { opening, waiting: waitsAt === key };
}
