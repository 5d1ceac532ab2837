// Hands the header, footer and menus of the exported page over to React, which from then on opens the pages.
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { routeOf } from '#content/routes.ts';
import { App } from './App.tsx';
import { carryBack } from './carrying.ts';

const root = document.getElementById('root');
const route = routeOf(window.location.pathname);
// React takes over only what it would draw alike: a known page. Anything else works as the document that it is.
if (root !== null && route?.kind === 'interactive') {
  carryBack();
  startTransition(() => {
    hydrateRoot(
      root,
      <BrowserRouter>
        <App brought={route.path} />
      </BrowserRouter>,
    );
  });
}
