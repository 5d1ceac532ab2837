// Tests that the launcher forwards arguments, signals and exit codes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findProgram } from '../sitegate/program.js';
import { root, run, script } from './folder.ts';

const cli = join(root, 'packages', 'sitegate', 'cli.js');

const launch = (text: string) => run(process.execPath, [cli, 'a', 'b c'], root, { SITEGATE_BINARY: script(text) });

test('forwards exit codes, arguments and signals of the program', () => {
  expect(launch('echo "$#:$2"; exit 0')).toMatchObject({ status: 0, stdout: '2:b c\n' });
  for (const status of [1, 2, 10, 130, 143]) expect(launch(`exit ${status}`).status).toBe(status);
  expect(launch('kill -KILL $$')).toMatchObject({ status: null, signal: 'SIGKILL' });
  expect(launch('kill -TERM $$')).toMatchObject({ status: null, signal: 'SIGTERM' });
});

test('forwards signals to the program and returns its exit code', async () => {
  for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 7]] as const) {
    const text = `trap 'exit ${code}' ${signal.slice(3)}; echo ready; while :; do sleep 0.05; done`;
    const env = { ...process.env, SITEGATE_BINARY: script(text) };
    const child = spawn(process.execPath, [cli], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([code, null]);
  }
});

test('reports a program that cannot run, with a fix', () => {
  const missing = run(process.execPath, [cli], root, { SITEGATE_BINARY: '/nowhere/sitegate' });
  expect(missing).toMatchObject({ status: 2, stderr: expect.stringContaining('sitegate: /nowhere/sitegate cannot be run: ') });
  expect(() => findProgram('freebsd-x64')).toThrow(/no program for freebsd-x64, only for darwin-arm64.*cargo install sitegate.*SITEGATE_BINARY/u);
  expect(() => findProgram('linux-arm64')).toThrow(/`@sitegate\/linux-arm64` is not installed; it is an optional dependency/u);
});
