// Gates what Eleventy writes: `eleventyConfig.addPlugin(sitegate)`.
import { join, resolve } from 'node:path';
import { gate } from './gate.js';

/** What Eleventy takes for templates. */
const templates = '**/*.{md,html,liquid,njk,webc,vto,hbs,mustache,ejs,haml,pug}';

export default function sitegate(eleventyConfig, options = {}) {
  eleventyConfig.on('eleventy.after', async ({ directories, dir, runMode }) => {
    // While somebody writes, `--serve` and `--watch` build again and again, and links may lead to what is not written yet.
    if (runMode !== 'build') return;
    const { input, output } = directories ?? dir;
    await gate({ folder: resolve(output), project: process.cwd(), sources: [join(input, templates)] }, options);
  });
}
