// Checks a site without a contract, and with the one that `init` writes.
import { spawnSync } from 'node:child_process';
import { openSync, closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {import('../../packages/sitegate/report.d.ts').Report & { lines: number }} Report - With the number of lines that people read.
 * @typedef {Record<(typeof ways)[number], Report>} Reports
 */

/** The two kinds of checks of each site. */
export const ways = /** @type {const} */ (['bare', 'init']);

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 * @param {number | 'ignore'} stdout
 */
function sitegate(program, args, cwd, stdout = 'ignore') {
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', stdout, 'pipe'] });
  if (error) throw error;
  if (status === 2) throw new Error(`sitegate ${args.join(' ')}: ${stderr.trim()}`);
}

/**
 * Runs a check, saves its report as `<way>.json` and `<way>.txt` in `folder`, and returns the report and the text lines.
 *
 * @param {string} program
 * @param {string} site
 * @param {string} folder
 * @param {string} way
 * @param {string[]} config
 * @returns {Report}
 */
function check(program, site, folder, way, config) {
  const report = join(folder, `${way}.json`);
  const human = join(folder, `${way}.txt`);
  const printed = openSync(human, 'w');
  sitegate(program, ['check', site, ...config, '--report', `json=${report}`], folder, printed);
  closeSync(printed);
  const lines = readFileSync(human, 'utf8').split('\n').length - 1;
  return { ...JSON.parse(readFileSync(report, 'utf8')), lines };
}

/**
 * Checks a site in both ways. The reports and the contract stay in `folder`.
 *
 * @param {string} program
 * @param {string} site
 * @param {string} folder
 * @returns {Reports}
 */
export function checks(program, site, folder) {
  const contract = join(folder, 'sitegate.toml');
  const bare = check(program, site, folder, 'bare', ['--no-config']);
  sitegate(program, ['init', site, '--config', contract, '--force'], folder);
  return { bare, init: check(program, site, folder, 'init', ['--config', contract]) };
}
