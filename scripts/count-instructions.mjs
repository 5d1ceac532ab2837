// Counts the instructions of checks of generated sites, which do not depend on the load of the machine.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { documentation, lostSection, small } from './synthetic.mjs';

/** @type {Record<string, [(site: string, seed: number, pages: number) => void, number]>} */
const sites = { documentation: [documentation, 300], small: [small, 3000], lost: [lostSection, 1000] };

/** Whether instructions can be counted: valgrind does not run on macOS. */
export const isCountable = () => spawnSync('valgrind', ['--version']).status === 0;

/**
 * Counts the instructions of one thread with valgrind, for each site.
 *
 * @param {string} program
 * @param {string} folder - Has the sites, or gets them.
 */
export function countInstructions(program, folder) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const [name, [write, pages]] of Object.entries(sites)) {
    const site = join(folder, name);
    if (!existsSync(site)) {
      mkdirSync(site, { recursive: true });
      write(site, 13, pages);
    }
    const { stderr, status } = spawnSync('valgrind', ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', program, 'check', site, '--no-config'], {
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, RAYON_NUM_THREADS: '1' },
    });
    const counted = /I\s+refs:\s+([\d,]+)/u.exec(stderr)?.[1];
    if ((status !== 0 && status !== 1) || counted === undefined) throw new Error(`valgrind could not count ${site}:\n${stderr}`);
    counts[name] = Number(counted.replaceAll(',', ''));
  }
  return counts;
}
