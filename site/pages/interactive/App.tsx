// The interactive pages: one frame, one page for each route, and the not-found page for the rest.

// The first import, because it sets the order of the layers.
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
 * The root of the server and client routers. The route table selects the page: no path has parameters, so the matching of the
 * router, which is most of its size, is not needed. `brought` is the path of the document. Its main needs no script, so it stays
 * unchanged and its code is not loaded until the visitor opens another page.
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
