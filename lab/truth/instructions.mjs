// Counts the instructions of checks of generated sites, and compares them with those of before.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentation, lostSection, small } from '../../scripts/synthetic.mjs';

const most = 1.03;
/** @type {Record<string, [(site: string, seed: number, pages: number) => void, number]>} */
const sites = { documentation: [documentation, 300], small: [small, 3000], lost: [lostSection, 1000] };

/**
 * Returns the number of sites that cost over 3 % more.
 *
 * @param {string} sitegate
 * @param {string} home
 * @param {boolean} freezes
 */
export function instructions(sitegate, home, freezes) {
  const path = join(home, 'instructions.json');
  /** @type {Record<string, number>} */
  const before = !freezes && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  /** @type {Record<string, number>} */
  const now = {};
  let over = 0;
  for (const [name, [write, pages]] of Object.entries(sites)) {
    const site = join(home, 'input', `generated-${name}`);
    if (!existsSync(site)) {
      mkdirSync(site, { recursive: true });
      write(site, 13, pages);
    }
    const { stderr } = spawnSync('valgrind', ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', sitegate, 'check', site, '--no-config'], {
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, RAYON_NUM_THREADS: '1' },
    });
    const counted = Number(/I\s+refs:\s+([\d,]+)/u.exec(stderr ?? '')?.[1]?.replaceAll(',', ''));
    if (Number.isNaN(counted)) {
      console.log('instructions are not counted: valgrind is missing, or failed');
      return 0;
    }
    now[name] = counted;
    const ratio = counted / (before[name] ?? counted);
    if (!freezes) console.log(`${name.padEnd(14)} ${ratio.toFixed(3)} of ${(before[name] ?? counted).toLocaleString('en')} instructions`);
    over += Number(ratio > most);
  }
  if (freezes) writeFileSync(path, JSON.stringify(now));
  return over;
}
