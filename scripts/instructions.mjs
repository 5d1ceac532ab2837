// Counts the instructions of checks of small sites, and fails if a count is over 5 % above the recorded one.
//
//   node scripts/instructions.mjs [--write]
//
// The program is the one that users build, or that of SITEGATE.
//
// Counts depend on the compiler and the processor type, so instructions.json has counts for each pair. Without recorded
// counts, the new ones are only printed. --write records them. Needs valgrind, which does not run on macOS.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch } from 'node:os';
import { join } from 'node:path';
import { countInstructions, isCountable } from './count-instructions.mjs';
import { root, run, sitegate } from './run.mjs';

const most = 1.05;
const known = join(root, 'scripts', 'instructions.json');
const work = join(root, 'target', 'instructions');

if (!isCountable()) {
  console.log('Instructions are not counted: valgrind is not installed (apt-get install valgrind)');
} else {
  rmSync(work, { recursive: true, force: true });
  const given = process.env['SITEGATE'];
  if (given === undefined) run('cargo', ['build', '--quiet', '--release', '--package', 'sitegate']);
  const program = given ?? sitegate('release');
  const wide = existsSync('/proc/cpuinfo') && / avx2 /u.test(readFileSync('/proc/cpuinfo', 'utf8')) ? ' avx2' : '';
  const machine = `${/rustc [\d.]+/u.exec(spawnSync('rustc', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[0]} ${arch()}${wide}`;
  const all = JSON.parse(readFileSync(known, 'utf8'));
  const counts = countInstructions(program, work);
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
