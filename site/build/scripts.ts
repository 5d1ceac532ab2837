// How scripts are built: in which files, how those are loaded, and without what no page uses.
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: string[] } | null;
}

/** All that a module imports, and what that imports, without what is loaded later. */
function importedBy(root: string, graph: ModuleGraph): ReadonlySet<string> {
  const reached = new Set([fileURLToPath(new URL(`../${root}`, import.meta.url))]);
  for (const id of reached) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  return reached;
}

/**
 * Scripts in few files, none of which leads to another one that was not asked for together with it: what changes with a new React only,
 * what takes over a page, what is shown in it, and what all pages show. The words of each feature page are a file of their own.
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
        ['react', (file) => /\/node_modules\/(react|scheduler)/.test(file)],
        ['frame', (file) => frame.has(file)],
        ['page', (file) => home.has(file) && feature.has(file)],
        ['home', (file) => home.has(file)],
        ['feature', (file) => feature.has(file)],
        ['nowhere', (file) => nowhere.has(file)],
      ];
    }
    return units.find(([, holds]) => holds(id))?.[0] ?? null;
  };
}

/** The group that all of them are in. */
export const scriptGroup = { name: scriptNamer(), debugName: 'scripts' };

/** Vite's way to load a page's code knows of styles, nonces and old browsers. Here it is scripts alone, all asked for at once. */
export const flatLoading: Plugin = {
  name: 'flat-loading',
  apply: 'build',
  applyToEnvironment: (environment) => environment.name === 'client',
  transform: {
    filter: { id: /vite\/preload-helper/ },
    handler: () =>
      "const ahead = (file) => Object.assign(document.createElement('link'), { rel: 'modulepreload', href: '/' + file });" +
      'export const __vitePreload = (load, files = []) => (document.head.append(...files.map(ahead)), load());',
  },
};

/**
 * Marks calls of react-router that only make a value, and drops names that only developer tools read, so that the parts of it that no
 * page uses can be left out.
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
