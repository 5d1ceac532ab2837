// Checks the site that Eleventy builds: `eleventyConfig.addPlugin(sitegate)`.
import { join, resolve } from 'node:path';
import { gate, skipInWatchMode } from './gate.js';

/**
 * The arguments of the event `eleventy.after` that the plugin reads.
 *
 * @typedef {{ input: string, output: string, includes?: string, layouts?: string, data?: string }} Folders
 * @typedef {{ directories?: Folders, dir: Folders, runMode: string }} Built
 */

/** File extensions of Eleventy templates. */
const templates = '**/*.{md,html,liquid,njk,webc,vto,hbs,mustache,ejs,haml,pug}';

/**
 * @param {{ on(event: string, callback: (built: Built) => Promise<void>): unknown }} eleventyConfig
 * @param {import('./index.d.ts').GateOptions} options
 */
export default function sitegate(eleventyConfig, options = {}) {
  eleventyConfig.on('eleventy.after', async ({ directories, dir, runMode }) => {
    // `--serve` and `--watch` build while pages are being edited, when links to unwritten pages are normal.
    if (runMode !== 'build') {
      skipInWatchMode();
      return;
    }
    const { input, output, ...others } = directories ?? dir;
    // In Eleventy 2, the other folders are relative to the input folder.
    const below = [others.includes, others.layouts, others.data].flatMap((folder) => (folder ? [directories ? folder : join(input, folder)] : []));
    const sources = [join(input, templates), ...below.map((folder) => join(folder, '**'))];
    await gate({ plugin: 'sitegate/eleventy', folder: resolve(output), project: process.cwd(), sources }, options).catch((error) => {
      // Eleventy then does not repeat the message as a stack trace.
      throw Object.assign(error, { skipOriginalStack: true });
    });
  });
}
