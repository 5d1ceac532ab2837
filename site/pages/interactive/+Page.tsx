// The interactive pages on the server. The import of App also adds their styles.
import { StaticRouter } from 'react-router-dom';
import { App } from './App.tsx';
// Only for its styles, which the build finds by static imports.
import '#layouts/FeatureLayout.tsx';

/** Renders the page at a path. */
export function Page({ path }: { readonly path: string }) {
  return (
    <StaticRouter location={path}>
      <App />
    </StaticRouter>
  );
}
