// Adds the lines that the contribution guide shows for a new attribute, and runs the tests of the attribute.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/run.mjs';

const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const exercise = guide.split('## Add an attribute that loads a file\n')[1]?.split('\n## ')[0] ?? '';

/**
 * Returns what the exercise shows.
 *
 * @param {RegExp} pattern
 */
function shown(pattern) {
  const found = pattern.exec(exercise)?.[1];
  if (found === undefined) throw new Error(`the exercise has no ${pattern}`);
  return found;
}

/** The added lines: the file, the line before which they belong, and the lines. */
const additions = [
  ['checker/html/src/element.rs', '    A "a" ', `    ${shown(/`(PhotoFrame "photo-frame" NONE,)`/u)}\n`],
  ['checker/html/src/element_table.rs', '    [TurboFrame] Src', shown(/```rust\n([^`]+)```/u)],
  ['checker/check/src/parse/reference_kind.rs', '    A "<a href>"', `    ${shown(/`(PhotoFrame "<photo-frame src>" Load)`/u)},\n`],
];
const test = shown(/`cargo (test --test cases\s+photo-frame)`/u).split(/\s+/u);

const folder = join(root, 'target/newcomer');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 2 ** 30 });
execFileSync('tar', ['-x', '-C', folder], { input: archive });
for (const [file, before, lines] of additions) {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(`\n${before}`)) throw new Error(`${file} has no line ${before}`);
  writeFileSync(path, text.replace(`\n${before}`, `\n${lines}${before}`));
}
// Dependencies are those of the project, so that only its own crates are built again.
const env = { ...process.env, CARGO_TARGET_DIR: join(root, 'target') };
const { status, stdout } = spawnSync('cargo', test, { cwd: folder, env, encoding: 'utf8', stdio: ['inherit', 'pipe', 'inherit'] });
console.log(stdout);
if (status !== 0 || !/photo-frame src: missing file +\.\.\. ok/u.test(stdout)) {
  console.error('newcomer: the exercise fails');
  process.exit(1);
}
console.log('newcomer: the exercise works');
