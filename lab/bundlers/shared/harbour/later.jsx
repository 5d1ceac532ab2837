// Loads the panel on request.
import { lazy, Suspense, useState } from 'react';

const Panel = lazy(() => import('./panel.jsx'));

export function Later() {
  const [open, setOpen] = useState(false);
  return (
    <section>
      <button type="button" onClick={() => setOpen(true)}>
        Open the panel
      </button>
      {open && (
        <Suspense fallback="…">
          <Panel />
        </Suspense>
      )}
    </section>
  );
}
