// Temporary folders for tests, and commands that run in them.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { root, sitegate } from '../../scripts/run.mjs';

export { root };

/** The program under test: `SITEGATE`, or the debug build. */
export const program = process.env['SITEGATE'] ?? sitegate('debug');

/** Creates a folder with files, which is removed after the test. */
export function folder(files: Record<string, string> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'sitegate-packages-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

/** Runs a command and returns its output, exit code and signal. */
export function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
  const { status, signal, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, ...env } });
  return { status, signal, stdout, stderr };
}

/** Writes a shell script as an executable program. */
export function script(text: string): string {
  const file = join(folder({ program: `#!/bin/sh\n${text}\n` }), 'program');
  chmodSync(file, 0o755);
  return file;
}

export const page = (body: string): string => `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>x</title>\n${body}\n`;
