// Hydrates the islands of the exported page.
import { startTransition, useEffect, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { Here } from '#components/Here.ts';
import { frameIslands } from '#layouts/frame-islands.tsx';

/** Repeats the clicks before React was there, which start.js recorded. React renders after each of them. */
async function repeatEarlyClicks(): Promise<void> {
  const { earlyClicks = [] } = window;
  window.earlyClicks = undefined;
  for (const button of earlyClicks) {
    await undefined;
    button?.click();
  }
}

/** An island of which React is in charge. */
function Hydrated({ children, onHydrated }: { readonly children: ReactNode; readonly onHydrated: () => void }) {
  useEffect(onHydrated, [onHydrated]);
  return children;
}

/** Hydrates these islands of the page, and those of the frame. Each is named like its element. */
export function hydrate(islands: Readonly<Record<string, ReactNode>>): void {
  const here = document.getElementById('root')?.dataset['path'];
  const all = Object.entries({ ...islands, ...frameIslands });
  let open = all.length;
  const onHydrated = () => {
    open -= 1;
    if (open === 0) void repeatEarlyClicks();
  };
  for (const [name, content] of all) {
    const element = document.querySelector(`[data-island="${name}"]`);
    if (element === null) throw new Error(`the page has no island ${name}`);
    startTransition(() => {
      hydrateRoot(
        element,
        <Hydrated onHydrated={onHydrated}>
          <Here value={here}>{content}</Here>
        </Hydrated>,
      );
    });
  }
}
