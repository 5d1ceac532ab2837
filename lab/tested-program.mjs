// The program that a lab tests.
import { resolve } from 'node:path';
import { buildForTests } from '../scripts/debug.mjs';
import { run, sitegate } from '../scripts/run.mjs';

/**
 * Returns the program that the command line or the variable SITEGATE names. Without one, builds that of a profile.
 *
 * @param {string | undefined} named - The value of `--sitegate`.
 * @param {'debug' | 'release'} profile
 */
export function testedProgram(named, profile) {
  const given = named ?? process.env['SITEGATE'];
  if (given !== undefined) return resolve(given);
  if (profile === 'debug') buildForTests();
  else run('cargo', ['build', '--quiet', '--release', '--bin', 'sitegate']);
  return sitegate(profile);
}
