// Tests the Vite plugin with Vite.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { folder, page, program, root, run } from './folder.ts';

const vite = join(root, 'node_modules/vite/bin/vite.js');

/** A project with a broken link. */
const project = () =>
  folder({
    'index.html': page('<a href="/gone">x</a><script type="module" src="/main.js"></script>'),
    'main.js': 'console.log(1);\n',
    'vite.config.mjs': `import sitegate from '${join(root, 'packages/sitegate/vite.js')}';\nexport default { plugins: [sitegate()] };\n`,
  });

test('fails a build with a broken link', () => {
  const { status, stdout, stderr } = run(process.execPath, [vite, 'build'], project(), { SITEGATE_BINARY: program });
  expect(status, stderr).toBe(1);
  expect(stdout).toContain('error[broken-link]: `/gone`');
  expect(stderr).toContain('sitegate: dist does not pass, see above');
});

test('says once that builds in watch mode are not checked', async () => {
  const cwd = project();
  const child = spawn(process.execPath, [vite, 'build', '--watch'], { cwd, env: { ...process.env, SITEGATE_BINARY: program } });
  onTestFinished(() => void child.kill());
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const builds = () => output.split('built in').length - 1;
  await vi.waitUntil(() => builds() === 1, { timeout: 15_000 });
  appendFileSync(join(cwd, 'main.js'), 'console.log(2);\n');
  await vi.waitUntil(() => builds() === 2, { timeout: 15_000 });
  expect(existsSync(join(cwd, 'dist/index.html'))).toBe(true);
  expect(output.split('sitegate: not checked in watch mode')).toHaveLength(2);
  expect(output).not.toContain('broken-link');
});
