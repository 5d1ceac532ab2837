// Build settings of the site: HTML, assets and other files, from the settings of the deployment.
import react from '@vitejs/plugin-react';
import vike from 'vike/plugin';
import { defineConfig } from 'vite';
import { classNamer, colorTokens, inlineClassNames, noClientStyles, styleGroups } from './build/styles.ts';
import base from './content/site.json' with { type: 'json' };
import { readSettings } from './content/read-settings.ts';
import { scripts } from './renderer/scripts.ts';
import { siteFiles } from './renderer/site-files.ts';

/** The script of each interactive page. */
const scriptInputs = Object.fromEntries(Object.entries(scripts).map(([path, file]) => [path.slice(1) || 'home', file]));

/** Three files that they share: React, what only the examples of features use, and the rest. */
const scriptGroups = [
  { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
  { name: 'examples', test: /\/site\/(components\/(Bar|ExampleTable|ThresholdButtons)\.|content\/figures\.)/, minShareCount: 2, priority: 2 },
  { name: 'shared', test: /\/site\/(components|content|layouts|pages)\//, minShareCount: 2, priority: 1 },
];

const settings = readSettings(base, process.env);

/** The settings as a whole, and each as a constant, since the bundler keeps objects whole. */
const define = {
  __SETTINGS__: JSON.stringify(settings),
  ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`__SETTINGS__.${key}`, JSON.stringify(value)])),
};

/** Removes the connection to React's developer tools from the published React, 0.4 kB. */
const withoutDeveloperTools = { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' };

export default defineConfig(({ command }) => ({
  plugins: [vike(), react(), colorTokens, inlineClassNames, noClientStyles, siteFiles(settings)],
  css: { modules: { generateScopedName: command === 'build' ? classNamer() : '[name]-[local]' } },
  define,
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  environments: {
    client: {
      define: command === 'build' ? withoutDeveloperTools : {},
      build: {
        rolldownOptions: {
          input: scriptInputs,
          // No module is imported only to run. Otherwise, a page would load all modules that it needs a constant of.
          treeshake: { moduleSideEffects: false },
          output: { codeSplitting: { includeDependenciesRecursively: false, groups: scriptGroups } },
        },
      },
    },
    ssr: { build: { rolldownOptions: { output: { codeSplitting: { groups: styleGroups } } } } },
  },
}));
