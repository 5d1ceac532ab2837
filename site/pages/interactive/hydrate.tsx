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

/** Hydrates an island. */
function hydrateIsland(name: string, content: ReactNode): Promise<void> {
  const element = document.querySelector(`[data-island="${name}"]`);
  if (element === null) throw new Error(`the page has no island ${name}`);
  return new Promise((done) => {
    startTransition(() => {
      hydrateRoot(
        element,
        <Hydrated onHydrated={done}>
          <Here value={document.getElementById('root')?.dataset['path']}>{content}</Here>
        </Hydrated>,
      );
    });
  });
}

/** Hydrates these islands of the page, and those of the frame, then repeats early clicks. Each is named like its element. */
export async function hydrate(islands: Readonly<Record<string, ReactNode>>): Promise<void> {
  await Promise.all(Object.entries({ ...islands, ...frameIslands }).map(([name, content]) => hydrateIsland(name, content)));
  await repeatEarlyClicks();
}
