// A button that counts, a line that only hydration shows, and a panel that comes when it is asked for.
import { lazy, Suspense } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { plural } from './plural.js';

const Panel = lazy(() => import('./panel.jsx'));

export function Later() {
  const [count, setCount] = useState(1);
  const [alive, setAlive] = useState(false);
  const [open, setOpen] = useState(false);
  useEffect(() => setAlive(true), []);
  return (
    <section>
      <button type="button" onClick={() => setCount(count + 1)}>
        Count
      </button>{' '}
      {plural(count, 'gull')} {alive && <em>alive</em>}
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
