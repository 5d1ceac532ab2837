// The description of the program that all packages share.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

const manifest = readFileSync(join(root, 'Cargo.toml'), 'utf8');

/** @param {RegExp} pattern */
function found(pattern) {
  const value = pattern.exec(manifest)?.[1];
  if (value === undefined) throw new Error(`Cargo.toml has no ${pattern.source} in [workspace.package]`);
  return value;
}

export const about = {
  name: 'sitegate',
  version: found(/^\[workspace\.package\]\nversion = "([^"]+)"$/mu),
  summary: 'Checks static sites before they go live',
  description: String(JSON.parse(readFileSync(join(root, 'packages', 'sitegate', 'package.json'), 'utf8')).description),
  license: found(/^license = "([^"]+)"$/mu),
  repository: found(/^repository = "([^"]+)"/mu),
};

/** The owner of the repository, for the maintainer of system packages. */
export const owner = about.repository.split('/').at(-2);
export const maintainer = `${owner} <${owner}@users.noreply.github.com>`;

/** The URL of the files of this version's release. */
export const downloads = `${about.repository}/releases/download/v${about.version}`;

/**
 * Runs a command and returns its output, or throws its errors.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 */
export function output(command, args, { cwd = root, env = {} } = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26, env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${status}: ${error?.message ?? ''}\n${stdout}${stderr}`);
  return stdout;
}
