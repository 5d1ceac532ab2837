// The interactive pages: one frame, one page for each route, and the not-found page for the rest.

// First of all imports: it fixes the order of the layers.
import '#styles/site.css';
import { createElement, useState } from 'react';
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
 * What both routers render. The route table picks the page: none of its paths has a parameter, so the router's own matching, which
 * is most of its weight, would have nothing to do. `brought` is the path whose page the document brought: what is in main needs no
 * script, so it stays as it is, and its code is not loaded, until the visitor goes elsewhere.
 */
export function App({ brought }: { readonly brought?: string }) {
  const route = routeOf(useLocation().pathname);
  const [keeps, setKeeps] = useState(brought !== undefined);
  const waiting = useLinks();
  const path = route?.kind === 'interactive' ? route.path : nowhere;
  if (keeps && path !== brought) setKeeps(false);
  return (
    <>
      {waiting && <Waiting />}
      <InteractiveLayout>{keeps ? undefined : <ScreenAt key={path} path={path} />}</InteractiveLayout>
      <Arrival />
    </>
  );
}
