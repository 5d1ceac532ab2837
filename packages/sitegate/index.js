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
 * Returns the findings of a report, each with the page of its rule.
 *
 * @param {import('./index.d.ts').Report} report
 */
function withPages({ findings, tool: { documentation } }) {
  if (!documentation) return findings;
  return findings.map((finding) => ({ ...finding, rule_url: `${documentation}/rules/${finding.rule}.html` }));
}

/**
 * Checks an export against its contract.
 *
 * @param {string} [folder]
 * @param {import('./index.d.ts').CheckOptions} [options]
 * @returns {Promise<import('./index.d.ts').CheckReport>}
 */
export async function check(folder, options = {}) {
  const { args, input } = commandLine(folder, options, 'the option `contract`');
  const { child, ended } = start(['check', '--format', 'json', ...args], { cwd: options.cwd, stdio: 'pipe' });
  child.stdin?.on('error', () => {}); // if the program fails before it reads the contract, it prints why
  child.stdin?.end(input);
  const [{ code, signal }, stdout, stderr] = await Promise.all([ended, read(child.stdout), read(child.stderr)]);
  const report = stdout === '' || signal !== null ? undefined : JSON.parse(stdout);
  if (report !== undefined && (code === 0 || code === 1)) return { ...report, findings: withPages(report), passed: report.verdict === 'passed' };
  const why = stderr.trim() || report?.unreadable?.join('\n') || `the check ended with ${signal ?? code}`;
  throw new SitegateError(why, { exitCode: code ?? undefined, report });
}
