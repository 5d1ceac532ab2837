// Lists the scripts of interactive pages, and the styles that come with another page, from Vite's manifest of the build.
import type { GlobalContextServer } from 'vike/types';
import { features, pathOf } from '#content/features.ts';

/** The entry of the scripts, an input of the build in vite.config.ts. */
export const hydrateEntry = 'pages/interactive/hydrate.tsx';

/** Returns all scripts of the page at a path with their imports, so that start.js can request them at once. */
export function scriptsOf(path: string, manifest: NonNullable<GlobalContextServer['assetsManifest']>): readonly string[] {
  const feature = features.find((one) => pathOf(one) === path);
  const entries = new Set([hydrateEntry, `content/features/${feature?.slug}/page.ts`]);
  // The group of components, named in build/scripts.ts.
  const group = feature === undefined ? 'home' : 'feature';
  const parts = new Set(Object.keys(manifest).filter((key) => entries.has(key) || manifest[key]?.name === group));
  for (const key of parts) for (const imported of manifest[key]?.imports ?? []) parts.add(imported);
  return [...parts].flatMap((key) => manifest[key]?.file ?? []);
}

/** Returns the styles that only feature pages use, in the group of build/styles.ts. */
export function featureStyles(manifest: NonNullable<GlobalContextServer['assetsManifest']>): readonly string[] {
  const all = Object.values(manifest).flatMap(({ css }) => css ?? []);
  return [...new Set(all)].filter((file) => /\/feature\.[^/]+$/.test(file)).map((file) => `/${file}`);
}
