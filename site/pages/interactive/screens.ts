// The code of each interactive page, loaded when it is needed: before rendering, before hydrating, and ahead of a click.
import { use, type ComponentType } from 'react';

type Screen = ComponentType;

const modules = import.meta.glob<{ default: Screen }>('./screens/*.tsx');
const loaded = new Map<string, Screen>();
const pending = new Map<string, Promise<Screen>>();

const moduleOf = (path: string) => modules[`./screens/${path === '/' ? 'home' : path.slice(1)}.tsx`];

/** Loads the screen of a path once. Paths without a screen load nothing. */
export function loadScreen(path: string): Promise<Screen | undefined> {
  const load = moduleOf(path);
  if (load === undefined) return Promise.resolve(undefined);
  const known = pending.get(path);
  if (known !== undefined) return known;
  const loading = load().then(
    (module) => {
      loaded.set(path, module.default);
      return module.default;
    },
    (error: unknown) => {
      // A later attempt may find the network back.
      pending.delete(path);
      throw error;
    },
  );
  pending.set(path, loading);
  return loading;
}

/** The screen of a path, at once where it is loaded; otherwise React waits for it. */
export function useScreen(path: string): Screen | undefined {
  const ready = loaded.get(path);
  return ready ?? use(loadScreen(path));
}
