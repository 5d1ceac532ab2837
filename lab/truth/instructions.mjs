// Compares the instructions of checks of generated sites with those of before.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countInstructions, isCountable } from '../../scripts/count-instructions.mjs';

const most = 1.03;

/**
 * Returns the number of sites that cost over 3 % more.
 *
 * @param {string} sitegate
 * @param {string} home
 * @param {boolean} freezes
 */
export function instructions(sitegate, home, freezes) {
  if (!isCountable()) {
    console.log('instructions are not counted: valgrind is missing');
    return 0;
  }
  const path = join(home, 'instructions.json');
  const now = countInstructions(sitegate, join(home, 'input', 'generated'));
  if (freezes) {
    writeFileSync(path, JSON.stringify(now));
    return 0;
  }
  /** @type {Record<string, number>} */
  const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  let over = 0;
  for (const [name, counted] of Object.entries(now)) {
    const known = before[name] ?? counted;
    console.log(`${name.padEnd(14)} ${(counted / known).toFixed(3)} of ${known.toLocaleString('en')} instructions`);
    over += Number(counted / known > most);
  }
  return over;
}
