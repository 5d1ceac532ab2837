// Tests that scripts/fetch.sh accepts only a program with the checksum and the attestation of its release.
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
const archive = `sitegate-v1.2.3-${target}.tar.gz`;

/** A clone of version 1.2.3, its release, and a `gh` that logs its arguments and exits with `$GH_STATUS`. */
function released() {
  const here = folder({
    'staged/sitegate': '#!/bin/sh\necho released\n',
    'OWNER/sitegate/releases/download/v1.2.3/x': '',
    'clone/Cargo.toml': '[workspace.package]\nversion = "1.2.3"\n[workspace.dependencies]\nversion = "9"\n',
    'clone/scripts/x': '',
    'bin/gh': '#!/bin/sh\necho "$@" >> "$GH_LOG"\ncase "$*" in *--source-digest*) exit "${GH_PINNED:-0}" ;; esac\nexit "${GH_STATUS:-0}"\n',
  });
  copyFileSync(join(root, 'scripts/fetch.sh'), join(here, 'clone/scripts/fetch.sh'));
  run('chmod', ['755', join(here, 'staged/sitegate'), join(here, 'bin/gh')], here);
  const packed = join(here, 'OWNER/sitegate/releases/download/v1.2.3', archive);
  expect(run('tar', ['-czf', packed, '-C', 'staged', '.'], here).status).toBe(0);
  const sums = (sum: string) => writeFileSync(join(packed, '../SHA256SUMS'), `${'1'.repeat(64)}  other.tar.gz\n${sum}  ${archive}\n`);
  sums(createHash('sha256').update(readFileSync(packed)).digest('hex'));
  const env = { RELEASES: `file://${here}/OWNER/sitegate/releases/download`, PATH: `${here}/bin:${process.env['PATH']}`, GH_LOG: join(here, 'gh.log') };
  const fetch = (more = {}) => run('bash', [join(here, 'clone/scripts/fetch.sh'), 'fetched'], here, { ...env, ...more });
  return { here, packed, sums, fetch };
}

test.skipIf(target === undefined)('runs only a program with the checksum of its release', () => {
  const { here, packed, sums, fetch } = released();
  expect(fetch()).toMatchObject({ status: 0, stderr: '' });
  expect(run(join(here, 'fetched/sitegate'), [], here).stdout).toBe('released\n');
  sums('0'.repeat(64));
  expect(fetch()).toMatchObject({ status: 1, stderr: expect.stringContaining('does not match the SHA256SUMS of its release') });
  rmSync(packed);
  expect(fetch()).toMatchObject({ status: 3, stderr: expect.stringContaining('building it instead') });
});

test.skipIf(target === undefined)('runs only a program with an attestation, of the pinned commit if there is one', () => {
  const { here, fetch } = released();
  expect(fetch({ GH_STATUS: '1' })).toMatchObject({ status: 1, stderr: expect.stringContaining('has no attestation by OWNER/sitegate for the tag v1.2.3') });
  expect(fetch({ COMMIT: 'a'.repeat(40), GH_PINNED: '1' })).toMatchObject({ status: 3, stderr: expect.stringContaining('was not built from the commit') });
  expect(fetch({ COMMIT: 'a'.repeat(40) }).status).toBe(0);
  const log = readFileSync(join(here, 'gh.log'), 'utf8');
  expect(log).toContain(`attestation verify ${archive} --repo OWNER/sitegate --signer-workflow OWNER/sitegate/.github/workflows/program.yml --source-ref refs/tags/v1.2.3`);
});
