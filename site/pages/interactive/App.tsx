// The interactive pages: one frame, one route per page, and the not-found page for the rest.

// First of all imports: it fixes the order of the layers.
import '#styles/site.css';
import { createElement } from 'react';
import { Route, Routes } from 'react-router-dom';
import { NotFound } from '#components/NotFound.tsx';
import { PrefetchContext } from '#components/PageLink.tsx';
import { interactiveRoutes } from '#content/routes.ts';
import { InteractiveLayout } from '#layouts/InteractiveLayout.tsx';
import { Arrival } from './Arrival.tsx';
import { loadScreen, useScreen } from './screens.ts';

function ScreenAt({ path }: { readonly path: string }) {
  const screen = useScreen(path);
  return screen === undefined ? null : createElement(screen);
}

const prefetch = (path: string): void => {
  // A page that cannot be fetched ahead is fetched again when it is opened.
  loadScreen(path).catch(() => undefined);
};

/** What both routers render. */
export function App() {
  return (
    <PrefetchContext value={prefetch}>
      <InteractiveLayout>
        <Routes>
          {interactiveRoutes.map(({ path }) => (
            <Route key={path} path={path} element={<ScreenAt key={path} path={path} />} />
          ))}
          <Route path="*" element={<NotFound />} />
        </Routes>
      </InteractiveLayout>
      <Arrival />
    </PrefetchContext>
  );
}
