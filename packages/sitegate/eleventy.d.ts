/** Checks the site that Eleventy builds. */
import type { GateOptions } from './index.js';

/** The part of Eleventy's configuration that the plugin uses. */
export interface EleventyEvents {
  on(event: string, callback: (built: never) => Promise<void>): unknown;
}

/** `eleventyConfig.addPlugin(sitegate)` in `eleventy.config.js`. Fails the build if the site does not pass. */
export default function sitegate(eleventyConfig: EleventyEvents, options?: GateOptions): void;
