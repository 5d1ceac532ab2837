// Gates what Eleventy writes: `eleventyConfig.addPlugin(sitegate)`.
import { join, resolve } from 'node:path';
import { gate } from './gate.js';

/**
 * What is read of what Eleventy says at its end.
 *
 * @typedef {{ input: string, output: string, includes?: string, layouts?: string, data?: string }} Folders
 * @typedef {{ directories?: Folders, dir: Folders, runMode: string }} Built
 */

/** What Eleventy takes for templates. */
const templates = '**/*.{md,html,liquid,njk,webc,vto,hbs,mustache,ejs,haml,pug}';

/**
 * @param {{ on(event: string, callback: (built: Built) => Promise<void>): unknown }} eleventyConfig
 * @param {import('./index.d.ts').GateOptions} options
 */
export default function sitegate(eleventyConfig, options = {}) {
  eleventyConfig.on('eleventy.after', async ({ directories, dir, runMode }) => {
    // While somebody writes, `--serve` and `--watch` build again and again, and links may lead to what is not written yet.
    if (runMode !== 'build') return;
    const { input, output, ...others } = directories ?? dir;
    // Eleventy 2 names the others from the first.
    const below = [others.includes, others.layouts, others.data].flatMap((folder) => (folder ? [directories ? folder : join(input, folder)] : []));
    const sources = [join(input, templates), ...below.map((folder) => join(folder, '**'))];
    await gate({ folder: resolve(output), project: process.cwd(), sources }, options);
  });
}
