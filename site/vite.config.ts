// Build settings of the site: HTML, assets and other files, from the settings of the deployment.
import react from '@vitejs/plugin-react';
import vike from 'vike/plugin';
import { defineConfig } from 'vite';
import { flatLoading, pureRouter, scriptGroup } from './build/scripts.ts';
import { classNamer, colorTokens, inlineClassNames, noClientStyles, styleGroups } from './build/styles.ts';
import base from './content/site.json' with { type: 'json' };
import { readSettings } from './content/read-settings.ts';
import { siteFiles } from './renderer/site-files.ts';

const settings = readSettings(base, process.env);

export default defineConfig(({ command }) => ({
  plugins: [vike(), react(), pureRouter, flatLoading, colorTokens, inlineClassNames, noClientStyles, siteFiles(settings)],
  css: { modules: { generateScopedName: command === 'build' ? classNamer() : '[name]-[local]' } },
  define: { __SETTINGS__: JSON.stringify(settings) },
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  environments: {
    client: { build: { rolldownOptions: { input: { interactive: 'pages/interactive/hydrate.tsx' }, output: { codeSplitting: { includeDependenciesRecursively: false, groups: [scriptGroup] } } } } },
    ssr: { build: { rolldownOptions: { output: { codeSplitting: { groups: styleGroups } } } } },
  },
}));
