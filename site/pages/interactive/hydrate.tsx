// Hands the exported page over to React, once the code of the page is there.
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { routeOf } from '#content/routes.ts';
import { App } from './App.tsx';
import { loadScreen } from './screens.ts';

const root = document.getElementById('root');
if (root !== null) {
  const path = routeOf(window.location.pathname)?.path ?? window.location.pathname;
  await loadScreen(path);
  startTransition(() => {
    hydrateRoot(
      root,
      <BrowserRouter>
        <App />
      </BrowserRouter>,
    );
  });
}
