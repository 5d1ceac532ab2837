// Build settings of scripts: chunks, loading, and removal of unused code.
import { fileURLToPath } from 'node:url';
import { normalizePath, type Plugin } from 'vite';

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: string[] } | null;
}

/** Returns all static imports of a module, recursively. */
function importedBy(root: string, graph: ModuleGraph): ReadonlySet<string> {
  const reached = new Set([normalizePath(fileURLToPath(new URL(`../${root}`, import.meta.url)))]);
  for (const id of reached) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  return reached;
}

/**
 * Bundles scripts into few files, all of which can be requested at once: React, the hydration code, the components of a page,
 * and those of all pages. The texts of each feature page are a separate file.
 */
function scriptNamer() {
  let units: readonly (readonly [string, (id: string) => boolean])[] | undefined;
  return (id: string, graph: ModuleGraph): string | null => {
    if (units === undefined) {
      const frame = importedBy('pages/interactive/hydrate.tsx', graph);
      const home = importedBy('pages/interactive/Home.tsx', graph);
      const feature = importedBy('layouts/FeatureLayout.tsx', graph);
      const nowhere = importedBy('components/NotFound.tsx', graph);
      units = [
        // With the bundler's own helpers, which all of them use.
        ['react', (file) => /\/node_modules\/(react|scheduler)|rolldown\/runtime/.test(file)],
        ['frame', (file) => frame.has(file) || (home.has(file) && feature.has(file))],
        ['home', (file) => home.has(file)],
        ['feature', (file) => feature.has(file)],
        ['nowhere', (file) => nowhere.has(file)],
      ];
    }
    return units.find(([, holds]) => holds(id))?.[0] ?? null;
  };
}

/** The group of all scripts. */
export const scriptGroup = { name: scriptNamer(), debugName: 'scripts' };

/** Replaces Vite's preload helper, which also supports styles, nonces and old browsers, with one that only loads scripts. */
export const flatLoading: Plugin = {
  name: 'flat-loading',
  apply: 'build',
  applyToEnvironment: (environment) => environment.name === 'client',
  transform: {
    filter: { id: /vite\/preload-helper/ },
    handler: () =>
      "const ahead = (file) => Object.assign(document.createElement('link'), { rel: 'modulepreload', href: '/' + file });" +
      // The page names its own scripts, which start.js has loaded.
      'const isNew = (file) => document.querySelector(`link[href="/${file}"]`) === null;' +
      'export const __vitePreload = (load, files = []) => (document.head.append(...files.filter(isNew).map(ahead)), load());',
  },
};

/**
 * Marks pure calls in react-router and removes names for developer tools, so that the bundler can drop its unused parts. With
 * the bundler's own settings for pure calls, 7 kB more stay (gzip).
 */
export const pureRouter: Plugin = {
  name: 'pure-router',
  transform: {
    filter: { id: /node_modules\/react-router\/.*\.mjs/ },
    handler: (code) =>
      code
        .replace(/= (React\d*\.(?:createContext|forwardRef|memo)\()/g, '= /* @__PURE__ */ $1')
        .replace(/= (class extends React\d*\.Component \{[^]*?\n\});\n\w+\.contextType = (\w+);/g, '= /* @__PURE__ */ Object.assign($1, { contextType: $2 });')
        .replace(/^\w+\.displayName = "\w+";$/gm, ''),
  },
};
