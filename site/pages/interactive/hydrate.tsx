// Hydrates the exported page. From then on, React opens pages.
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { routeOf } from '#content/routes.ts';
import { App } from './App.tsx';
import { carryBack } from './carrying.ts';
import { loadScreen } from './screens.ts';

function hydrate(root: HTMLElement): void {
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
const route = routeOf(window.location.pathname);
// Hydrates only known pages, which React would render identically. Others stay plain documents, also if their code does not come.
if (root !== null && route?.kind === 'interactive') {
  loadScreen(route.path).then(
    () => hydrate(root),
    () => undefined,
  );
}
