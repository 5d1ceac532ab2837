// Hydrates the exported page. From then on, React opens pages.
import { startTransition, useLayoutEffect, useState, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { Router, UNSAFE_createBrowserHistory as createBrowserHistory } from 'react-router-dom';
import { routeOf } from '#content/routes.ts';
import { App } from './App.tsx';
import { observeSwipes, transition } from './page-transitions.ts';
import { loadScreen } from './screens.ts';

const history = createBrowserHistory({ v5Compat: true });

/** React Router's BrowserRouter, with a view transition for each change of the page, including back and forward. */
function TransitionRouter({ children }: { readonly children: ReactNode }) {
  const [{ action, location }, setState] = useState({ action: history.action, location: history.location });
  useLayoutEffect(() => history.listen((update) => transition(update.location.pathname, () => startTransition(() => setState(update)))), []);
  return (
    <Router location={location} navigationType={action} navigator={history}>
      {children}
    </Router>
  );
}

function hydrate(root: HTMLElement): void {
  observeSwipes();
  startTransition(() => {
    hydrateRoot(
      root,
      <TransitionRouter>
        <App />
      </TransitionRouter>,
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
