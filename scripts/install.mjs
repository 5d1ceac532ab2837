// Installs the packages of package-lock.json, but only where node_modules does not hold them already.
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}node_modules/.installed-lock.json`;
const read = (path) => readFile(path, 'utf8').catch(() => undefined);

/** Runs `npm ci` when the lock file is not the one that was installed last; otherwise does and says nothing. */
export async function install() {
  const lock = await read(`${root}package-lock.json`);
  if (lock === undefined) throw new Error('package-lock.json is missing');
  if (lock === (await read(stamp))) return;
  console.log('Installing packages');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm ci ended with ${status}`);
  await writeFile(stamp, lock);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await install();
