// The interactive pages: one frame, one page for each route, and the not-found page for the rest.

// First of all imports: it fixes the order of the layers.
import '#styles/site.css';
import { createElement } from 'react';
import { useLocation } from 'react-router-dom';
import { NotFound } from '#components/NotFound.tsx';
import { OpeningContext } from '#components/PageLink.tsx';
import { Waiting } from '#components/Waiting.tsx';
import { routeOf } from '#content/routes.ts';
import { InteractiveLayout } from '#layouts/InteractiveLayout.tsx';
import { Arrival } from './Arrival.tsx';
import { useScreen } from './screens.ts';
import { useOpening } from './useOpening.ts';

function ScreenAt({ path }: { readonly path: string }) {
  const screen = useScreen(path);
  return screen === undefined ? null : createElement(screen);
}

/**
 * What both routers render. The route table picks the page: none of its paths has a parameter, so the router's own matching, which
 * is most of its weight, would have nothing to do.
 */
export function App() {
  const route = routeOf(useLocation().pathname);
  const { opening, waiting } = useOpening();
  return (
    <OpeningContext value={opening}>
      {waiting && <Waiting />}
      <InteractiveLayout>
        {route?.kind === 'interactive' ? <ScreenAt key={route.path} path={route.path} /> : <NotFound />}
      </InteractiveLayout>
      <Arrival />
    </OpeningContext>
  );
}
