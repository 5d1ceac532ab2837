// Checks the site that Docusaurus builds: `plugins: ['sitegate/docusaurus']`.
//
// Docusaurus runs the hooks of all plugins concurrently, and builds the languages one after the other. So no hook runs
// after all files are written, and the check runs in Node's `beforeExit` event instead.
import { sep } from 'node:path';
import { basePath, gate, origin } from './gate.js';

/** The builds so far, one for each language. Global, because Docusaurus loads this file again for each language. */
const key = Symbol.for('sitegate.docusaurus');
const shared = /** @type {{ [key]?: import('./gate.js').Build[] }} */ (globalThis);
const built = (shared[key] ??= []);

/** Returns the builds that are not in the folder of another: languages are in subfolders of the default language. */
const outermost = () => built.filter(({ folder }) => !built.some((other) => folder.startsWith(`${other.folder}${sep}`)));

/** Source files of a Docusaurus project. */
const sources = ['docs/**', 'versioned_docs/**', 'blog/**', 'src/**', 'static/**', 'i18n/**', 'sidebars.*', 'docusaurus.config.*'];

/**
 * Returns the settings for `trailingSlash`: it builds about/index.html if true, about.html if false.
 *
 * @param {boolean | undefined} trailingSlash
 * @returns {import('./gate.js').Build['site']}
 */
function urlSettings(trailingSlash) {
  if (trailingSlash === undefined) return {};
  return trailingSlash ? { 'trailing-slash': 'redirect' } : { 'clean-urls': true };
}

/** @param {import('./index.d.ts').GateOptions} options */
async function checkAll(options) {
  if (process.exitCode) return; // the build failed by itself
  try {
    for (const build of outermost()) await gate(build, options);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/**
 * @param {unknown} _
 * @param {import('./index.d.ts').GateOptions} options
 */
export default function sitegate(_, options = {}) {
  return {
    name: 'sitegate',
    /** @param {{ outDir: string, siteDir: string, siteConfig: { url: string, trailingSlash?: boolean | undefined }, baseUrl: string }} written */
    postBuild({ outDir, siteDir, siteConfig, baseUrl }) {
      if (process.argv[2] === 'deploy') {
        throw new Error('sitegate: `docusaurus deploy` would publish before the check; run `docusaurus build`, then `docusaurus deploy --skip-build`');
      }
      if (built.length === 0) process.once('beforeExit', () => checkAll(options));
      const site = { origin: origin(siteConfig.url), 'base-path': basePath(baseUrl), ...urlSettings(siteConfig.trailingSlash) };
      built.push({ plugin: 'sitegate/docusaurus', folder: outDir, project: siteDir, site, sources });
    },
  };
}
