// A check from a program: the report that the command prints, as a value.
import { commandLine } from './arguments.js';
import { SitegateError } from './error.js';
import { start } from './program.js';

export { SitegateError };

/**
 * All that a stream gives, as text.
 *
 * @param {import('node:stream').Readable | null} stream
 */
async function read(stream) {
  stream?.setEncoding('utf8');
  let text = '';
  for await (const piece of stream ?? []) text += piece;
  return text;
}

/**
 * Holds an export to its contract.
 *
 * @param {string} [folder]
 * @param {import('./index.d.ts').CheckOptions} [options]
 * @returns {Promise<import('./report.d.ts').Report>}
 */
export async function check(folder, options = {}) {
  const { args, input } = commandLine(folder, options);
  const { child, ended } = start(['check', '--format', 'json', ...args], { cwd: options.cwd, stdio: 'pipe' });
  child.stdin?.on('error', () => {}); // a program that reads no contract closes it, and says why
  child.stdin?.end(input);
  const [{ code, signal }, out, said] = await Promise.all([ended, read(child.stdout), read(child.stderr)]);
  const report = out === '' || signal !== null ? undefined : JSON.parse(out);
  if (report !== undefined && (code === 0 || code === 1)) return report;
  const why = said.trim() || report?.unreadable?.join('\n') || `the check ended by ${signal ?? code}`;
  throw new SitegateError(why, { exitCode: code ?? undefined, report });
}
