// Asks the program what the pages tell of it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { spans } from './ansi.mjs';

/** The small site whose faults are shown. */
const sample = fileURLToPath(new URL('../../sample/', import.meta.url));

/**
 * What the program prints to standard output, in a terminal of 100 columns.
 *
 * @param {string} program - Its path.
 * @param {string[]} args
 * @param {{ codes?: number[], cwd?: string, env?: Record<string, string> }} [options] - Exit codes that are no failure, and where to run.
 */
export function ask(program, args, { codes = [0], cwd, env = {} } = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', env: { ...process.env, COLUMNS: '100', ...env } });
  if (error) throw error;
  if (status === null || !codes.includes(status)) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/**
 * What a check of the sample prints, as lines of spans; the time it takes is the same each time, so that the picture is.
 *
 * @param {string} program
 */
export function sampleOutput(program) {
  const text = ask(program, ['check'], { codes: [1], cwd: sample, env: { CLICOLOR_FORCE: '1', NO_COLOR: '', CI: '' } });
  return spans(text.replace(/ in [\d.]+ m?s/, ' in 2 ms').trimEnd());
}
