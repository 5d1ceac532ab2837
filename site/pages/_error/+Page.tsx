// The page for an unknown path, exported as 404.html; public/404.js logs the path.

// The first import, because it sets the order of the layers.
import '#styles/site.css';
import { NotFound } from '#components/NotFound.tsx';
import { DocumentLayout } from '#layouts/DocumentLayout.tsx';

/** The page. */
export function Page() {
  return (
    <DocumentLayout>
      <NotFound />
    </DocumentLayout>
  );
}
