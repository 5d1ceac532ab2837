// The gate that tests run, and the export and contract they run it on.
import { fileURLToPath } from 'node:url';

/** The top of the project. */
export const top = fileURLToPath(new URL('../..', import.meta.url));

/** The program: the one that SITEGATE names, or that scripts/debug.mjs builds. */
export const sitegate = process.env['SITEGATE'] ?? `${top}target/debug/sitegate`;

/** The finished export. */
export const exported = `${top}site/dist/client`;
