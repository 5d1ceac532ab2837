// Lists the scripts of interactive pages, and the styles of feature pages, from Vite's manifest of the build.
import type { GlobalContextServer } from 'vike/types';
import { features, pathOf } from '../content/features.ts';

type Manifest = NonNullable<GlobalContextServer['assetsManifest']>;

const folder = 'pages/interactive/scripts';

/** The script of each page, by its path. They are the inputs of the build in vite.config.ts. */
export const scripts: Readonly<Record<string, string>> = {
  '/': `${folder}/home.tsx`,
  ...Object.fromEntries(features.map((feature) => [pathOf(feature), `${folder}/${feature.slug}.tsx`])),
};

/** Returns the files of the script of a page and of its imports, so that start.js can request them at once. */
export function scriptsOf(path: string, manifest: Manifest): readonly string[] {
  const parts = new Set([scripts[path] ?? '']);
  for (const key of parts) for (const imported of manifest[key]?.imports ?? []) parts.add(imported);
  return [...parts].flatMap((key) => manifest[key]?.file ?? []);
}

/** Returns the styles that only feature pages use, in the group `feature` of build/styles.ts. */
export function featureStyles(manifest: Manifest): readonly string[] {
  const all = Object.values(manifest).flatMap(({ css }) => css ?? []);
  return [...new Set(all)].filter((file) => /\/feature\./.test(file));
}
