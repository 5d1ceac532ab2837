// Hydrates the header, footer and menus of the exported page. From then on, React opens pages.
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { routeOf } from '#content/routes.ts';
import { App } from './App.tsx';
import { carryBack } from './carrying.ts';

const root = document.getElementById('root');
const route = routeOf(window.location.pathname);
// Hydrates only known pages, which React would render identically. Others stay plain documents.
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
