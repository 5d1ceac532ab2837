// Tests that scripts/fetch.sh accepts only a program with the released checksum.
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, root, run } from './folder.ts';

const targets: Record<string, string> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};
const target = targets[`${process.platform}-${process.arch}`];

test.skipIf(target === undefined)('rejects a program with another checksum', () => {
  const archive = `sitegate-v1.2.3-${target}.tar.gz`;
  const here = folder({ 'staged/sitegate': '#!/bin/sh\necho released\n', 'releases/v1.2.3/x': '', 'clone/scripts/released.txt': '# none\n' });
  copyFileSync(join(root, 'scripts/fetch.sh'), join(here, 'clone/scripts/fetch.sh'));
  run('chmod', ['755', join(here, 'staged/sitegate')], here);
  const packed = join(here, 'releases/v1.2.3', archive);
  expect(run('tar', ['-czf', packed, '-C', 'staged', '.'], here).status).toBe(0);
  const release = (sum: string) => writeFileSync(join(here, 'clone/scripts/released.txt'), `# of today\n${sum}  ${archive}\n`);
  const fetch = () => run('bash', [join(here, 'clone/scripts/fetch.sh'), 'fetched'], here, { RELEASES: `file://${here}/releases` });

  expect(fetch().status, 'no release yet').toBe(3);
  release(createHash('sha256').update(readFileSync(packed)).digest('hex'));
  expect(fetch()).toMatchObject({ status: 0, stderr: '' });
  expect(run(join(here, 'fetched/sitegate'), [], here).stdout).toBe('released\n');
  release('0'.repeat(64));
  expect(fetch()).toMatchObject({ status: 1, stderr: expect.stringContaining('does not match its checksum in scripts/released.txt') });
  rmSync(packed);
  expect(fetch()).toMatchObject({ status: 3, stderr: expect.stringContaining('building it instead') });
});
