// Installs the packages of a package-lock.json, unless node_modules has them already.
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** @param {string} path */
const read = (path) => readFile(path, 'utf8').catch(() => undefined);

/**
 * Runs `npm ci` if the lock file has changed since the last installation.
 *
 * @param {string} folder - Folder of package-lock.json, with a slash at the end. The default is the root of the project.
 */
export async function install(folder = root) {
  const lock = await read(`${folder}package-lock.json`);
  if (lock === undefined) throw new Error(`${folder}package-lock.json is missing`);
  const stamp = `${folder}node_modules/.installed-lock.json`;
  if (lock === (await read(stamp))) return;
  console.log('Installing packages');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm ci exited with ${status}`);
  await writeFile(stamp, lock);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await install();
