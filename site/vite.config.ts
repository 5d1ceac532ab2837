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

/** Two files that they share: React with the bundler's own helpers, and the rest. */
const scriptGroups = [
  { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\/|rolldown.runtime/, priority: 2 },
  { name: 'shared', test: /\/site\/(components|content|layouts|pages)\//, minShareCount: 2, priority: 1 },
];

const settings = readSettings(base, process.env);

export default defineConfig(({ command }) => ({
  plugins: [vike(), react(), colorTokens, inlineClassNames, noClientStyles, siteFiles(settings)],
  css: { modules: { generateScopedName: command === 'build' ? classNamer() : '[name]-[local]' } },
  define: { __SETTINGS__: JSON.stringify(settings) },
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  environments: {
    client: { build: { rolldownOptions: { input: scriptInputs, output: { codeSplitting: { includeDependenciesRecursively: false, groups: scriptGroups } } } } },
    ssr: { build: { rolldownOptions: { output: { codeSplitting: { groups: styleGroups } } } } },
  },
}));
