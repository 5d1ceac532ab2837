// Gates what Eleventy writes: `eleventyConfig.addPlugin(sitegate)`.
import { join, resolve } from 'node:path';
import { gate } from './gate.js';

/** What Eleventy takes for templates. */
const templates = '**/*.{md,html,liquid,njk,webc,vto,hbs,mustache,ejs,haml,pug}';

export default function sitegate(eleventyConfig, options = {}) {
  eleventyConfig.on('eleventy.after', async ({ directories, dir, runMode }) => {
    // While somebody writes, `--serve` and `--watch` build again and again, and links may lead to what is not written yet.
    if (runMode !== 'build') return;
    const { input, output, ...others } = directories ?? dir;
    // Eleventy 2 names the others from the first.
    const below = [others.includes, others.layouts, others.data].filter(Boolean).map((folder) => (directories ? folder : join(input, folder)));
    const sources = [join(input, templates), ...below.map((folder) => join(folder, '**'))];
    await gate({ folder: resolve(output), project: process.cwd(), sources }, options);
  });
}
