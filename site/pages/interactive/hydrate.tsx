// Hands the exported page over to React, once the code of the page is there.
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { routeOf } from '#content/routes.ts';
import { App } from './App.tsx';
import { carryBack } from './carrying.ts';
import { loadScreen } from './screens.ts';

/** React takes over only what it would draw alike: a known page, whose code is there. Anything else works as the document that it is. */
async function hydrate(root: HTMLElement): Promise<void> {
  const route = routeOf(window.location.pathname);
  if (route?.kind !== 'interactive') return;
  await loadScreen(route.path);
  carryBack();
  startTransition(() => {
    hydrateRoot(
      root,
      <BrowserRouter>
        <App />
      </BrowserRouter>,
    );
  });
}

const root = document.getElementById('root');
if (root !== null) hydrate(root).catch(() => undefined);
