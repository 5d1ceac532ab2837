// The code of each interactive page, loaded when it is needed: before rendering, before hydrating, and ahead of a click.
import { use, type ComponentType } from 'react';

type Screen = ComponentType;

const modules = import.meta.glob<{ default: Screen }>('./screens/*.tsx');
const loaded = new Map<string, Screen>();
const loads = new Map<string, Promise<Screen | undefined>>();
const waits = new Map<string, Promise<Screen | undefined>>();

async function load(path: string): Promise<Screen | undefined> {
  const module = await modules[`./screens/${path === '/' ? 'home' : path.slice(1)}.tsx`]?.();
  if (module !== undefined) loaded.set(path, module.default);
  return module?.default;
}

/** Loads the screen of a path; it is asked for once, whether it comes or not. Paths without a screen load nothing. */
export function loadScreen(path: string): Promise<Screen | undefined> {
  const known = loads.get(path);
  if (known !== undefined) return known;
  const loading = load(path);
  loads.set(path, loading);
  return loading;
}

/** Whether the screen of a path can be shown at once. */
export function isLoaded(path: string): boolean {
  return loaded.has(path);
}

/** Waits for a screen as long as it takes: where it cannot be had, the browser opens the page by itself. */
function wait(path: string): Promise<Screen | undefined> {
  const known = waits.get(path);
  if (known !== undefined) return known;
  const waiting = loadScreen(path).catch(() => {
    window.location.reload();
    return new Promise<undefined>(() => undefined);
  });
  waits.set(path, waiting);
  return waiting;
}

/** The screen of a path, at once where it is loaded; otherwise React waits for it. */
export function useScreen(path: string): Screen | undefined {
  return loaded.get(path) ?? use(wait(path));
}
