// Loads the code of interactive pages on demand: before rendering, before hydration, and before a click.
import { createElement, use, type ComponentType } from 'react';
import { features, pathOf } from '#content/features.ts';
import type { Feature } from '#content/types.ts';

type Screen = ComponentType;

/** Loads the styles of feature pages, which the home page only names. */
function loadStyles(): Promise<unknown> | undefined {
  const sheet = import.meta.env.SSR ? null : document.querySelector<HTMLLinkElement>('link[rel=stylesheet][disabled]');
  if (sheet === null) return undefined;
  return new Promise((done, fail) => {
    Object.assign(sheet, { onload: done, onerror: fail, disabled: false });
  });
}

async function loadFeature(feature: Feature): Promise<Screen> {
  const [{ FeatureLayout }, page] = await Promise.all([import('#layouts/FeatureLayout.tsx'), feature.page(), loadStyles()]);
  return () => createElement(FeatureLayout, { feature, page });
}

/** The key of all paths without a page. */
export const nowhere = '*';

const loaders = new Map<string, () => Promise<Screen>>([
  [nowhere, async () => (await import('#components/NotFound.tsx')).NotFound],
  ['/', async () => (await import('./Home.tsx')).Home],
  ...features.map((feature) => [pathOf(feature), () => loadFeature(feature)] as const),
]);
const loaded = new Map<string, Screen>();
const loads = new Map<string, Promise<Screen | undefined>>();
const waits = new Map<string, Promise<Screen | undefined>>();

async function load(path: string): Promise<Screen | undefined> {
  const screen = await loaders.get(path)?.();
  if (screen !== undefined) loaded.set(path, screen);
  return screen;
}

/** Loads the screen of a path, only once, even if it fails. Paths without a screen load nothing. */
export function loadScreen(path: string): Promise<Screen | undefined> {
  const known = loads.get(path);
  if (known !== undefined) return known;
  const loading = load(path);
  loads.set(path, loading);
  return loading;
}

/** Whether the screen of a path is loaded. */
export function isLoaded(path: string): boolean {
  return loaded.has(path);
}

/** Waits for a screen. If it cannot be loaded, the browser opens the page. */
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

/** Returns the screen of a path if it is loaded. Otherwise React waits for it. */
export function useScreen(path: string): Screen | undefined {
  return loaded.get(path) ?? use(wait(path));
}
