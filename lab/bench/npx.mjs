// Benchmarks `npx sitegate check` as users run it: first installed into an empty folder with an empty cache, then repeated.
//
//   npm run package && node lab/bench/npx.mjs [--runs N]
//
// Excludes the network: the packages are the tarballs of `npm run package`.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/run.mjs';

const { values: flags } = parseArgs({ options: { runs: { type: 'string', default: '15' } } });
const packages = join(root, 'packages');
const tarballs = readdirSync(packages).filter((name) => name.endsWith('.tgz')).map((name) => join(packages, name));
if (tarballs.length !== 2) throw new Error('`npm run package` makes the two tarballs that are installed here');

const folder = mkdtempSync(join(tmpdir(), 'sitegate-npx-'));
const program = `node_modules/@sitegate/${process.platform}-${process.arch}/sitegate${process.platform === 'win32' ? '.exe' : ''}`;

/**
 * Returns the duration of a command, in seconds.
 *
 * @param {import('./measure.mjs').Command} command
 */
function seconds([command, ...args]) {
  const start = performance.now();
  const { status, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' });
  if (status === null || status > 1) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stderr}`);
  return (performance.now() - start) / 1000;
}

/**
 * Formats the median, minimum and maximum of several runs.
 *
 * @param {string} what
 * @param {import('./measure.mjs').Command} command
 */
function row(what, command) {
  const took = Array.from({ length: Number(flags.runs) }, () => seconds(command)).toSorted((a, b) => a - b);
  const [least, median, most] = [took.at(0), took.at(took.length >> 1), took.at(-1)].map((time) => time?.toFixed(2));
  console.log(`| ${what} | ${median} | ${least} to ${most} |`);
}

try {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  cpSync(join(root, 'docs/sample/dist'), join(folder, 'dist'), { recursive: true });
  /** @type {import('./measure.mjs').Command} */
  const install = ['npm', 'install', '--offline', '--cache', join(folder, 'cache'), '--no-audit', '--no-fund', ...tarballs];
  console.log('| what | seconds | least to most |\n| --- | ---: | ---: |');
  console.log(`| \`npm install\`, nothing in the cache | ${seconds(install).toFixed(2)} | |`);
  row('`npx sitegate check dist`', ['npx', 'sitegate', 'check', 'dist']);
  row('the launcher alone', ['node', 'node_modules/sitegate/cli.js', 'check', 'dist']);
  row('the program alone', [program, 'check', 'dist']);
  const size = tarballs.reduce((sum, tarball) => sum + statSync(tarball).size, 0);
  console.log(`\nThe two packages have ${(size / 1e6).toFixed(1)} MB.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
