'use client';
// Loads the panel on request.
import dynamic from 'next/dynamic';
import { useState } from 'react';

const Panel = dynamic(() => import('./panel'), { ssr: false });

export function Later() {
  const [open, setOpen] = useState(false);
  return (
    <section>
      <button type="button" onClick={() => setOpen(true)}>
        Open the panel
      </button>
      {open && <Panel />}
    </section>
  );
}
