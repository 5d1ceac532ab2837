// The program, the export and the contract for tests.
import { fileURLToPath } from 'node:url';
import { sitegate as built } from '../../scripts/run.mjs';

/** The root of the project. */
export const top = fileURLToPath(new URL('../..', import.meta.url));

/** The program: `SITEGATE`, or the build of scripts/debug.mjs. */
export const sitegate = process.env['SITEGATE'] ?? built('debug');

/** The finished export. */
export const exported = `${top}site/dist/client`;
