// Builds the site: settings go in, HTML, assets and the files that machines read come out.
import react from '@vitejs/plugin-react';
import vike from 'vike/plugin';
import { defineConfig, type Plugin } from 'vite';
import base from './content/site.json' with { type: 'json' };
import { readSettings } from './content/read-settings.ts';
import { siteFiles } from './renderer/site-files.ts';

const settings = readSettings(base, process.env);

/**
 * Styles in three files: what every page shows, what documents add, what interactive pages add. The groups hold the same modules in
 * the server build, whose styles the pages name, and in the client build, whose styles React would load: so both are one file.
 */
const styleGroups = [
  { name: 'shared', test: /\/(styles\/site|components\/(Logo|Footer|SkipLink|button|Receipt|NotFound)\.module)\.css/ },
  { name: 'document', test: /\/layouts\/(Document|Legal)Layout\.module\.css/ },
  { name: 'interactive', test: /\.css$/ },
];

/**
 * Marks calls of react-router that only make a value, and drops names that only developer tools read, so that the parts of it that no
 * page uses can be left out.
 */
const pureRouter: Plugin = {
  name: 'pure-router',
  transform: {
    filter: { id: /node_modules\/react-router\/.*\.mjs/ },
    handler: (code) => code.replace(/= (React\d*\.(?:createContext|forwardRef|memo)\()/g, '= /* @__PURE__ */ $1').replace(/^\w+\.displayName = "\w+";$/gm, ''),
  },
};

export default defineConfig({
  plugins: [vike(), react(), pureRouter, siteFiles(settings)],
  define: { __SETTINGS__: JSON.stringify(settings) },
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: styleGroups },
      },
    },
  },
});
