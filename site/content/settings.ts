// The settings of this build, put into the code by vite.config.ts so that server and browser read the same.
import type { Settings } from './types.ts';

declare const __SETTINGS__: Settings;

/** Brand, origin and addresses. */
export const settings: Settings = __SETTINGS__;

/** The only one that scripts need. */
export const brand: string = __SETTINGS__.name;
