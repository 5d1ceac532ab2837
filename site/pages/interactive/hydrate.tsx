// Takes over an exported page: menus, and islands of React.
import { startTransition, useEffect, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { watchDemoBar } from './demo-bar.ts';
import { watchFeaturesMenu } from './features-menu.ts';
import { watchPhoneMenu } from './phone-menu.ts';

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
      hydrateRoot(element, <Hydrated onHydrated={done}>{content}</Hydrated>);
    });
  });
}

/** Hydrates these islands, each named like its element, then repeats early clicks. The menus come first, since they need no React. */
export async function hydrate(islands: Readonly<Record<string, ReactNode>>): Promise<void> {
  watchFeaturesMenu();
  watchPhoneMenu();
  watchDemoBar();
  await Promise.all(Object.entries(islands).map(([name, content]) => hydrateIsland(name, content)));
  await repeatEarlyClicks();
}
