// Creates the wheels, from the programs of the archives.
import { chmodSync, copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';
import { about, output } from './about.mjs';
import { archiveName, isWindows, programName, targets } from './targets.mjs';

/**
 * Packs a wheel for each archive in a folder, next to it. Needs hatchling: packages/python/requirements.txt.
 *
 * @param {string} staging
 * @param {string} out
 */
export function packWheels(staging, out) {
  const source = join(staging, 'python');
  cpSync(join(root, 'packages', 'python'), source, { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(source, 'LICENSE'));
  for (const target of targets) {
    const unpacked = join(staging, target.npm);
    mkdirSync(unpacked);
    const archive = join(out, archiveName(about.version, target));
    if (isWindows(target)) output('python3', ['-m', 'zipfile', '-e', archive, unpacked]);
    else output('tar', ['-xzf', archive, '-C', unpacked]);
    const program = join(unpacked, programName(target));
    chmodSync(program, 0o755); // zipfile does not restore the mode
    const env = { SITEGATE_VERSION: about.version, SITEGATE_PROGRAM: program, SITEGATE_TAG: target.wheel, SOURCE_DATE_EPOCH: '1577836800' };
    output('python3', ['-m', 'hatchling', 'build', '--target', 'wheel', '--directory', out], { cwd: source, env });
  }
}
