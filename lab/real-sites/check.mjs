// Asks sitegate about a site: without a contract, and with the one that `init` writes.
import { spawnSync } from 'node:child_process';
import { openSync, closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The two ways in which each site is checked. */
export const ways = ['bare', 'init'];

function sitegate(program, args, cwd, stdout = 'ignore') {
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', stdout, 'pipe'] });
  if (error) throw error;
  if (status === 2) throw new Error(`sitegate ${args.join(' ')}: ${stderr.trim()}`);
}

/** One check: its report, kept as `<way>.json` and as people see it in `<way>.txt` of `folder`, and the lines of the latter. */
function check(program, site, folder, way, config) {
  const [report, human] = [join(folder, `${way}.json`), join(folder, `${way}.txt`)];
  const printed = openSync(human, 'w');
  sitegate(program, ['check', site, ...config, '--format', 'json', '--output', report, '--format', 'human'], folder, printed);
  closeSync(printed);
  const lines = readFileSync(human, 'utf8').split('\n').length - 1;
  return { ...JSON.parse(readFileSync(report, 'utf8')), lines };
}

/** What is found on a site, each way; the reports and the contract stay in `folder`. */
export function checks(program, site, folder) {
  const contract = join(folder, 'sitegate.toml');
  const bare = check(program, site, folder, 'bare', ['--no-config']);
  sitegate(program, ['init', site, '--config', contract, '--force'], folder);
  return { bare, init: check(program, site, folder, 'init', ['--config', contract]) };
}
