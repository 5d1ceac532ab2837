// Runs sitegate on an export with each of its files missing in turn.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('./serve.mjs').Site} Site */

/**
 * Returns the contract of an export with a base path or a host, or nothing if the defaults are right.
 *
 * @param {Site} site
 */
function contract({ mount, host }) {
  const lines = [];
  if (mount !== '/') lines.push(`base-path = ${JSON.stringify(mount)}`);
  if (host !== undefined) lines.push(`host = ${JSON.stringify(host)}`);
  return lines.length === 0 ? undefined : ['[site]', ...lines, ''].join('\n');
}

/**
 * Returns the findings of a check as lines, by severity.
 *
 * @param {string} sitegate
 * @param {string} folder
 * @param {string[]} config
 * @returns {{ error: string[], warning: string[] }}
 */
function check(sitegate, folder, config) {
  const { status, stdout, stderr, error } = spawnSync(sitegate, ['check', folder, ...config, '--format', 'json'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error) throw error;
  if (status === 2) return { error: [`could not check: ${stderr.trim()}`], warning: [] };
  /** @type {{ error: string[], warning: string[] }} */
  const found = { error: [], warning: [] };
  /** @type {import('../../packages/sitegate/report.d.ts').Report} */
  const { findings } = JSON.parse(stdout);
  for (const { severity, rule, file, line, column, message } of findings) {
    found[severity].push(`${file}:${line ?? 0}:${column ?? 0} ${rule}: ${message}`);
  }
  return found;
}

/**
 * Returns the errors of the intact export, and the errors and warnings for each missing file.
 *
 * `scratch` is a temporary folder.
 *
 * @param {string} sitegate
 * @param {Site} site
 * @param {string[]} files
 * @param {string} scratch
 */
export function verdicts(sitegate, site, files, scratch) {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  const folder = join(scratch, 'site');
  const aside = join(scratch, 'aside');
  cpSync(site.folder, folder, { recursive: true });
  const text = contract(site);
  const named = join(scratch, 'sitegate.toml');
  const config = text === undefined ? ['--no-config'] : ['--config', named];
  if (text !== undefined) writeFileSync(named, text);
  const intact = check(sitegate, folder, config);
  const missing = files.map((file) => {
    renameSync(join(folder, file), aside);
    const { error, warning } = check(sitegate, folder, config);
    renameSync(aside, join(folder, file));
    return { reported: error.filter((line) => !intact.error.includes(line)), warnings: warning.filter((line) => !intact.warning.includes(line)) };
  });
  rmSync(scratch, { recursive: true, force: true });
  return { intact: intact.error, missing };
}
