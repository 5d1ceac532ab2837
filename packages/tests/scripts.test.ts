// Tests what the scripts of the project do on machines that are set up in another way than usual.
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installPackages } from '../../scripts/chromium.mjs';
import { root, sitegate } from '../../scripts/run.mjs';

let folder: string;
const { CI, PATH } = process.env;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scripts-'));
});

afterEach(async () => {
  Object.assign(process.env, { CI: CI ?? '', PATH });
  await rm(folder, { recursive: true });
});

/** Puts programs on the `PATH` that only record how they are called. */
async function recordCalls(): Promise<() => Promise<string>> {
  const calls = join(folder, 'calls');
  await writeFile(calls, '');
  for (const name of ['apt-get', 'sudo']) {
    await writeFile(join(folder, name), `#!/bin/sh\necho "\${0##*/} $*" >> '${calls}'\n`);
    await chmod(join(folder, name), 0o755);
  }
  process.env['PATH'] = `${folder}:${PATH}`;
  return () => readFile(calls, 'utf8');
}

test('no package is installed without a question', async () => {
  const calls = await recordCalls();
  process.env['CI'] = '';
  await installPackages();
  expect(await calls()).toBe('');
});

test('CI installs the package', async () => {
  const calls = await recordCalls();
  process.env['CI'] = 'true';
  await installPackages();
  expect(await calls()).toMatch(/apt-get update .*\n.*apt-get install .* chromium\n$/);
});

test('the program is in the folder that cargo builds in', () => {
  expect(sitegate('quick')).toMatch(/[\\/]quick[\\/]sitegate(\.exe)?$/);
  const script = `import { sitegate } from '${root}scripts/run.mjs'; console.log(sitegate('dist', 'x86_64-unknown-linux-musl'));`;
  const shown = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8', env: { ...process.env, CARGO_TARGET_DIR: folder } });
  expect(shown.trim()).toBe(join(folder, 'x86_64-unknown-linux-musl', 'dist', 'sitegate'));
});
