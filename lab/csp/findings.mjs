// Checks an export, and returns what blocked-by-csp finds in each file.
import { spawn, spawnSync } from 'node:child_process';

/**
 * The findings by file, as `directive source`.
 *
 * @param {string} program
 * @param {string} folder
 * @returns {Map<string, Set<string>>}
 */
export function findings(program, folder) {
  const { stdout, stderr } = spawnSync(program, ['check', 'site', '--format', 'json'], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (stdout === '') throw new Error(stderr);
  /** @type {{ findings: { rule: string, message: string, file: string }[] }} */
  const report = JSON.parse(stdout);
  /** @type {Map<string, Set<string>>} */
  const found = new Map();
  for (const { rule, message, file } of report.findings) {
    const [, directive = '', what = ''] = /`([a-z-]+)` does not allow (.*)$/.exec(message) ?? [];
    if (rule !== 'blocked-by-csp' || directive === '') continue;
    const known = found.get(file) ?? new Set();
    found.set(file, known.add(`${directive} ${source(directive, what)}`));
  }
  return found;
}

/**
 * Writes a source as Chromium does.
 *
 * @param {string} directive
 * @param {string} what
 */
function source(directive, what) {
  if (what.startsWith('this ') || what.startsWith('these ')) return 'inline';
  // Of frames, Chromium reports the origin only, and nothing of a data: URL.
  if (directive === 'frame-src' && what === 'data:') return '';
  if (directive === 'frame-src' && what.includes('://')) return `${new URL(what).origin}/`;
  if (/^[a-z]+:$/.test(what)) return what.slice(0, -1);
  if (what.startsWith('ftp:')) return 'ftp';
  return what;
}

/**
 * Serves an export with the headers of its contract.
 *
 * @param {string} program
 * @param {string} folder
 * @param {number} port
 */
export async function serve(program, folder, port) {
  const child = spawn(program, ['serve', 'site', '--port', String(port)], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((done, fail) => {
    child.stdout.once('data', done);
    child.once('exit', () => fail(new Error('sitegate serve ended')));
  });
  return () => child.kill();
}
