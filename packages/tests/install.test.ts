// Tests the packages as users install them: in an empty folder, without a network.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, page, program, root, run, script } from './folder.ts';

const npm = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];

function install(into: string, tarballs: string[]): void {
  execFileSync('npm', ['install', ...npm, ...tarballs], { cwd: into, stdio: ['ignore', 'ignore', 'inherit'] });
}

test('installed packages work with npx and import, and report a missing program', { timeout: 120_000 }, () => {
  const packed = folder();
  const binary = script(`exec '${program}' "$@"`); // a debug build takes long to pack
  execFileSync('node', ['scripts/packages/main.mjs', '--binary', binary, '--out', packed], { cwd: root, stdio: 'ignore' });
  const tarballs = readdirSync(packed).filter((name) => name.endsWith('.tgz')).map((name) => join(packed, name));
  expect(tarballs).toHaveLength(2);

  const site = {
    'package.json': '{ "private": true, "type": "module" }',
    'good/index.html': page('<a href="/">home</a>'),
    'bad/index.html': page('<a href="/gone">gone</a>'),
    'check.js': `import { check } from 'sitegate';\nconsole.log((await check('bad')).findings[0].message);\n`,
  };
  const here = folder(site);
  install(here, tarballs);
  expect(run('npx', ['sitegate', 'check', 'good'], here)).toMatchObject({ status: 0, stdout: expect.stringContaining('passed') });
  expect(run('npx', ['sitegate', 'check', 'bad'], here)).toMatchObject({ status: 1, stdout: expect.stringMatching(/error\[broken-link\]: `\/gone` does not exist\n  --> bad\/index.html:3:10\n/u) });
  expect(run('node', ['check.js'], here)).toMatchObject({ status: 0, stdout: expect.stringContaining('broken link: `/gone` does not exist') });

  const without = folder(site);
  install(without, tarballs.filter((name) => !name.includes(process.platform)));
  const { status, stderr } = run('npx', ['sitegate', 'check', 'good'], without);
  expect(status).toBe(2);
  expect(stderr).toContain(`the package \`@sitegate/${process.platform}-${process.arch}\` is not installed`);
  expect(run('npx', ['sitegate', 'check', 'good'], without, { SITEGATE_BINARY: program }).status).toBe(0);
});
