// Lists the scripts of interactive pages, from Vite's manifest of the build.
import type { GlobalContextServer } from 'vike/types';
import { features, pathOf } from '../content/features.ts';

/** The script of each page, by its path. They are the inputs of the build in vite.config.ts. */
export const scripts: Readonly<Record<string, string>> = {
  '/': 'pages/interactive/hydrate-home.tsx',
  ...Object.fromEntries(features.map((feature) => [pathOf(feature), `content/features/${feature.slug}/script.tsx`])),
};

/** Returns the files of the script of a page and of its imports, so that start.js can request them at once. */
export function scriptsOf(path: string, manifest: NonNullable<GlobalContextServer['assetsManifest']>): readonly string[] {
  const parts = new Set([scripts[path] ?? '']);
  for (const key of parts) for (const imported of manifest[key]?.imports ?? []) parts.add(imported);
  return [...parts].flatMap((key) => manifest[key]?.file ?? []);
}
