// Counts the instructions of checks of small sites, and fails if a count is over 5 % above the recorded one.
//
//   node scripts/instructions.mjs [--write]
//
// The program is the one that users build, or that of SITEGATE.
//
// Counts depend on the compiler and the processor type, so instructions.json has counts for each pair. Without recorded
// counts, the new ones are only printed. --write records them. Needs valgrind, which does not run on macOS.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch } from 'node:os';
import { join } from 'node:path';
import { documentation, lostSection, small } from './synthetic.mjs';
import { root, run, sitegate } from './run.mjs';

const most = 1.05;
/** @type {Record<string, [(site: string, seed: number, pages: number) => void, number]>} */
const sites = { documentation: [documentation, 300], small: [small, 3000], lost: [lostSection, 1000] };
const known = join(root, 'scripts', 'instructions.json');
const work = join(root, 'target', 'instructions');

/**
 * @param {string} command
 * @param {string[]} args
 */
const output = (command, args) => spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '';

/**
 * Counts the instructions of one thread with valgrind.
 *
 * @param {string} program
 * @param {string} site
 */
function count(program, site) {
  const { stderr, status } = spawnSync('valgrind', ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', program, 'check', site, '--no-config'], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, RAYON_NUM_THREADS: '1' },
  });
  const counted = /I\s+refs:\s+([\d,]+)/u.exec(stderr)?.[1];
  if ((status !== 0 && status !== 1) || counted === undefined) throw new Error(`valgrind could not count ${site}:\n${stderr}`);
  return Number(counted.replaceAll(',', ''));
}

/**
 * @param {string} name
 * @param {[write: (site: string, seed: number, pages: number) => void, pages: number]} kind
 */
function make(name, [write, pages]) {
  const site = join(work, name);
  if (!existsSync(site)) {
    mkdirSync(site, { recursive: true });
    write(site, 13, pages);
  }
  return site;
}

if (output('valgrind', ['--version']) === '') {
  console.log('Instructions are not counted: valgrind is not installed (apt-get install valgrind)');
} else {
  rmSync(work, { recursive: true, force: true });
  const given = process.env['SITEGATE'];
  if (given === undefined) run('cargo', ['build', '--quiet', '--release', '--package', 'sitegate']);
  const program = given ?? sitegate('release');
  const wide = existsSync('/proc/cpuinfo') && / avx2 /u.test(readFileSync('/proc/cpuinfo', 'utf8')) ? ' avx2' : '';
  const machine = `${/rustc [\d.]+/u.exec(output('rustc', ['--version']))?.[0]} ${arch()}${wide}`;
  const all = JSON.parse(readFileSync(known, 'utf8'));
  const counts = Object.fromEntries(Object.entries(sites).map(([name, kind]) => [name, count(program, make(name, kind))]));
  for (const [name, counted] of Object.entries(counts)) {
    const before = all[machine]?.[name];
    const comparison = before === undefined ? `not recorded for ${machine}` : `${(counted / before).toFixed(3)} of ${before.toLocaleString('en')}`;
    console.log(`${name.padEnd(14)} ${counted.toLocaleString('en').padStart(14)} instructions, ${comparison}`);
    if (counted > before * most && !process.argv.includes('--write')) {
      console.error(`${name} costs ${((counted / before - 1) * 100).toFixed(1)} % more than recorded: fix that, or record it with node scripts/instructions.mjs --write`);
      process.exitCode = 1;
    }
  }
  if (process.argv.includes('--write')) writeFileSync(known, `${JSON.stringify({ ...all, [machine]: counts }, null, 2)}\n`);
}
