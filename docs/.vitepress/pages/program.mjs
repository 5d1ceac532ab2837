// Runs the program for its output.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { spans } from './ansi.mjs';

/** The small site with faults that examples show. */
const sample = fileURLToPath(new URL('../../sample/', import.meta.url));

/**
 * Returns the standard output of the program, in a terminal of 100 columns.
 *
 * @param {string} program - Its path.
 * @param {string[]} args
 * @param {{ codes?: number[], cwd?: string, env?: Record<string, string> }} [options] - Accepted exit codes, and the folder to run in.
 */
export function ask(program, args, { codes = [0], cwd, env = {} } = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', env: { ...process.env, COLUMNS: '100', ...env } });
  if (error) throw error;
  if (status === null || !codes.includes(status)) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/**
 * Returns the output of a check of the sample, as lines of spans, with a constant time, so that the image is reproducible.
 *
 * @param {string} program
 */
export function sampleOutput(program) {
  const text = ask(program, ['check'], { codes: [1], cwd: sample, env: { CLICOLOR_FORCE: '1', NO_COLOR: '', CI: '' } });
  return spans(text.replace(/ in [\d.]+ m?s/, ' in 2 ms').trimEnd());
}
