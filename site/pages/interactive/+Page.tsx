// The interactive pages on the server; its import of App is also what gives them their styles.
import { StaticRouter } from 'react-router-dom';
import { App } from './App.tsx';

/** The page at a path. */
export function Page({ path }: { readonly path: string }) {
  return (
    <StaticRouter location={path}>
      <App />
    </StaticRouter>
  );
}
