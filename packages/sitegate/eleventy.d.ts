/** Gates what Eleventy writes. */
import type { GateOptions } from './index.js';

/** What is used of Eleventy's configuration. */
export interface EleventyEvents {
  on(event: string, callback: (built: never) => Promise<void>): unknown;
}

/** `eleventyConfig.addPlugin(sitegate)` in `eleventy.config.js`: a build whose pages do not pass fails. */
export default function sitegate(eleventyConfig: EleventyEvents, options?: GateOptions): void;
