// The interactive pages: one frame, one page for each route, and the not-found page for the rest.

// The first import, because it sets the order of the layers.
import '#styles/site.css';
import { createElement } from 'react';
import { useLocation } from 'react-router-dom';
import { Waiting } from '#components/Waiting.tsx';
import { routeOf } from '#content/routes.ts';
import { InteractiveLayout } from '#layouts/InteractiveLayout.tsx';
import { Arrival } from './Arrival.tsx';
import { nowhere, useScreen } from './screens.ts';
import { useLinks } from './useLinks.ts';

function ScreenAt({ path }: { readonly path: string }) {
  const screen = useScreen(path);
  return screen === undefined ? null : createElement(screen);
}

/**
 * The root of the server and client routers. The route table selects the page: no path has parameters, so the matching of the
 * router, which is most of its size, is not needed.
 */
export function App() {
  const route = routeOf(useLocation().pathname);
  const waiting = useLinks();
  const path = route?.kind === 'interactive' ? route.path : nowhere;
  return (
    <>
      {waiting && <Waiting />}
      <InteractiveLayout>
        <ScreenAt key={path} path={path} />
      </InteractiveLayout>
      <Arrival />
    </>
  );
}
