// Gates what Docusaurus writes: `plugins: ['sitegate/docusaurus']`.
//
// Docusaurus ends the hooks of all plugins at once, and builds one language after the other, so that no hook comes when
// everything is written. The build is over when nothing is left to do: that is when Node asks whether to exit.
import { sep } from 'node:path';
import { basePath, gate, origin } from './gate.js';

/** What was built so far: a folder for each language. Docusaurus loads this file anew for each of them. */
const key = Symbol.for('sitegate.docusaurus');
const shared = /** @type {{ [key]?: import('./gate.js').Build[] }} */ (globalThis);
const built = (shared[key] ??= []);

/** The folders that no other holds: languages lie below the first. */
const whole = () => built.filter(({ folder }) => !built.some((other) => folder.startsWith(`${other.folder}${sep}`)));

/** Where Docusaurus keeps what people edit. */
const sources = ['docs/**', 'versioned_docs/**', 'blog/**', 'src/**', 'static/**', 'i18n/**', 'sidebars.*', 'docusaurus.config.*'];

/**
 * What `trailingSlash` says of the files: about/index.html for true, about.html for false.
 *
 * @param {boolean | undefined} trailingSlash
 * @returns {import('./gate.js').Build['site']}
 */
function addresses(trailingSlash) {
  if (trailingSlash === undefined) return {};
  return trailingSlash ? { 'trailing-slash': 'redirect' } : { 'clean-urls': true };
}

/** @param {import('./index.d.ts').GateOptions} options */
async function gateAll(options) {
  if (process.exitCode) return; // the build failed by itself
  try {
    for (const build of whole()) await gate(build, options);
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
        throw new Error('sitegate: `docusaurus deploy` would publish before the gate; run `docusaurus build`, then `docusaurus deploy --skip-build`');
      }
      if (built.length === 0) process.once('beforeExit', () => gateAll(options));
      const site = { origin: origin(siteConfig.url), 'base-path': basePath(baseUrl), ...addresses(siteConfig.trailingSlash) };
      built.push({ folder: outDir, project: siteDir, site, sources });
    },
  };
}
