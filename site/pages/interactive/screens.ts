// The code of each interactive page, loaded when it is needed: before rendering, before hydrating, and ahead of a click.
import { createElement, use, type ComponentType } from 'react';
import { features, pathOf } from '#content/features.ts';
import type { Feature } from '#content/types.ts';

type Screen = ComponentType;

async function loadFeature(feature: Feature): Promise<Screen> {
  const [{ FeatureLayout }, page] = await Promise.all([import('#layouts/FeatureLayout.tsx'), feature.page()]);
  return () => createElement(FeatureLayout, { feature, page });
}

/** Stands for every path without a page of its own. */
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
