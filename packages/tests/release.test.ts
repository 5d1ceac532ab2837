// Tests the last line of `npm run release` after a failure: what visitors still have.
import { spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../scripts/run.mjs';

let folder: string;

/** Writes a program that reports the state of a target, and fails at the command in `FAIL`. */
async function program(path: string, text: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-'));
  for (const name of ['scripts', 'bin', 'target', 'target/quick']) await mkdir(join(folder, name));
  for (const name of ['release.mjs', 'run.mjs']) await copyFile(join(root, 'scripts', name), join(folder, 'scripts', name));
  await writeFile(join(folder, 'scripts/build.mjs'), "if (process.env.FAIL === 'build') process.exit(1);");
  await program(join(folder, 'bin/cargo'), `[ "$FAIL" != "cargo $1" ] || exit 1\n[ "$1" != metadata ] || echo '{"target_directory": "${folder}/target"}'`);
  await program(
    join(folder, 'target/quick/sitegate'),
    `[ "$2" = status ] && echo '{"live": "20200102-141005-abcdef01"}'\n[ "$1" = publish ] && echo 'the line of publish' >&2\n[ "$1" != "$FAIL" ]`,
  );
});

afterEach(() => rm(folder, { recursive: true }));

/** Returns the exit code and the last line of a release in which a step fails. */
function release(failing: string): [number | null, string | undefined] {
  const env = { ...process.env, PATH: `${folder}/bin:${process.env['PATH']}`, FAIL: failing };
  const { status, stderr } = spawnSync(process.execPath, ['scripts/release.mjs'], { cwd: folder, env, encoding: 'utf8' });
  return [status, stderr.trim().split('\n').at(-1)];
}

test.skipIf(process.platform === 'win32')('the last line says what visitors still have', async () => {
  expect(release('build')).toEqual([1, 'nothing was published; ./public does not exist yet']);
  await mkdir(join(folder, 'public'));
  const still = 'nothing was published; ./public still has the release of 2020-01-02 14:10 UTC';
  expect(release('build')).toEqual([1, still]);
  expect(release('cargo build')).toEqual([1, still]);
  expect(release('cargo metadata')).toEqual([1, 'nothing was published; ./public is unchanged']);
  expect(release('check')).toEqual([1, still]);
  expect(release('target')).toEqual([0, 'the line of publish']);
  // `publish` has a last line of its own.
  expect(release('publish')).toEqual([1, 'the line of publish']);
  await rm(join(folder, 'target/quick/sitegate'));
  expect(release('build')).toEqual([1, 'nothing was published; ./public is unchanged']);
});
