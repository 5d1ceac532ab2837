// Gates what Eleventy writes: `eleventyConfig.addPlugin(sitegate)`.
import { resolve } from 'node:path';
import { gate } from './gate.js';

export default function sitegate(eleventyConfig, options = {}) {
  eleventyConfig.on('eleventy.after', async ({ directories, dir, runMode }) => {
    // While somebody writes, `--serve` and `--watch` build again and again, and links may lead to what is not written yet.
    if (runMode === 'build') await gate({ folder: resolve((directories ?? dir).output), project: process.cwd() }, options);
  });
}
