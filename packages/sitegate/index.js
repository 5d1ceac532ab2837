// The API of the package: runs a check and returns its report.
import { commandLine } from './arguments.js';
import { SitegateError } from './error.js';
import { start } from './program.js';

export { SitegateError };

/**
 * Reads a stream as text.
 *
 * @param {import('node:stream').Readable | null} stream
 */
async function read(stream) {
  stream?.setEncoding('utf8');
  let text = '';
  for await (const chunk of stream ?? []) text += chunk;
  return text;
}

/**
 * Checks an export against its contract.
 *
 * @param {string} [folder]
 * @param {import('./index.d.ts').CheckOptions} [options]
 * @returns {Promise<import('./report.d.ts').Report>}
 */
export async function check(folder, options = {}) {
  const { args, input } = commandLine(folder, options);
  const { child, ended } = start(['check', '--format', 'json', ...args], { cwd: options.cwd, stdio: 'pipe' });
  child.stdin?.on('error', () => {}); // if the program fails before it reads the contract, it prints why
  child.stdin?.end(input);
  const [{ code, signal }, stdout, stderr] = await Promise.all([ended, read(child.stdout), read(child.stderr)]);
  const report = stdout === '' || signal !== null ? undefined : JSON.parse(stdout);
  if (report !== undefined && (code === 0 || code === 1)) return report;
  const why = stderr.trim() || report?.unreadable?.join('\n') || `the check ended with ${signal ?? code}`;
  throw new SitegateError(why, { exitCode: code ?? undefined, report });
}
