// Handles links between pages. The code of a page is loaded before the URL changes, so that both always match.
import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { UNSAFE_NavigationContext as NavigationContext, useLocation } from 'react-router-dom';
import { routeOf } from '#content/routes.ts';
import { isLoaded, loadScreen } from './screens.ts';

/** Returns the link of an event, if it opens an interactive page of this site in this tab. */
function linkOf({ target }: Event): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest('a') : null;
  const own = link !== null && link.origin === window.location.origin && link.target === '';
  return own && routeOf(link.pathname)?.kind === 'interactive' ? link : undefined;
}

/** Whether a click opens a link in this tab, not in another tab or a context menu. */
const isPlain = (event: MouseEvent): boolean => event.button === 0 && !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey);

/**
 * Opens the targets of links, including those that React did not render. Returns whether a page is loading. If its code cannot
 * be loaded, the browser opens the page. This is smaller than the Link of the router, which supports loaders and forms, and
 * than its useNavigate, which resolves relative paths: here, all paths are absolute.
 */
export function useLinks(): boolean {
  const { navigator } = useContext(NavigationContext);
  const { key, pathname } = useLocation();
  // The location at the start of loading. Any other location ends it.
  const [waitsAt, setWaitsAt] = useState<string>();
  const here = useRef({ key, pathname });
  const last = useRef(0);

  useLayoutEffect(() => {
    here.current = { key, pathname };
  }, [key, pathname]);

  const waitFor = useCallback((path: string): Promise<unknown> | undefined => {
    const route = routeOf(path);
    if (route?.kind !== 'interactive' || route === routeOf(here.current.pathname) || isLoaded(route.path)) return undefined;
    setWaitsAt(here.current.key);
    return loadScreen(route.path);
  }, []);

  // Going back changes the URL first. React shows the page when its code is loaded.
  useEffect(() => {
    const onPop = () => void waitFor(window.location.pathname);
    window.addEventListener('popstate', onPop);
    return () => window.removeEventListener('popstate', onPop);
  }, [waitFor]);

  useEffect(() => {
    const fetchAhead = (event: Event) => {
      const route = routeOf(linkOf(event)?.pathname ?? here.current.pathname);
      // A page that cannot be preloaded is opened by the browser.
      if (route !== undefined && route !== routeOf(here.current.pathname)) loadScreen(route.path).catch(() => undefined);
    };
    const open = (event: MouseEvent) => {
      const link = linkOf(event);
      if (link === undefined || event.defaultPrevented || !isPlain(event)) return;
      event.preventDefault();
      const to = link.pathname + link.search + link.hash;
      const load = waitFor(link.pathname);
      const choice = ++last.current;
      const from = here.current.key;
      const same = to === window.location.pathname + window.location.search + window.location.hash;
      const go = () => navigator[same ? 'replace' : 'push'](to);
      const ifStillMeant = (how: () => void) => () => {
        if (last.current === choice && here.current.key === from) how();
      };
      if (load === undefined) go();
      else load.then(ifStillMeant(go), ifStillMeant(() => window.location.assign(to)));
    };
    document.addEventListener('pointerover', fetchAhead, { passive: true });
    document.addEventListener('focusin', fetchAhead);
    document.addEventListener('click', open);
    return () => {
      document.removeEventListener('pointerover', fetchAhead);
      document.removeEventListener('focusin', fetchAhead);
      document.removeEventListener('click', open);
    };
  }, [navigator, waitFor]);

  return waitsAt === key;
}
