// Tests `check` and the gate of the plugins with different contracts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { check, SitegateError } from '../sitegate/index.js';
import { gate } from '../sitegate/gate.js';
import { toml } from '../sitegate/toml.js';
import { folder, page, program } from './folder.ts';

beforeEach(() => void vi.stubEnv('SITEGATE_BINARY', program));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('returns the report', async () => {
  const cwd = folder({ 'dist/index.html': page('<a href="/gone">x</a>') });
  const report = await check('dist', { cwd });
  expect(report.summary).toMatchObject({ pages: 1, errors: 1 });
  expect(report.findings[0]).toMatchObject({ rule: 'broken-link', file: 'index.html', line: 3, url: '/gone' });
});

test('accepts a contract file, inline settings, or none', async () => {
  const cwd = folder({
    'dist/index.html': page('<a href="/gone">x</a>'),
    'sitegate.toml': '[site]\nroot = "dist"\n[rules]\nbroken-link = "off"\n',
    'strict.toml': '[site]\nroot = "dist"\n[rules]\nmissing-description = "error"\n',
  });
  const errors = async (...args: Parameters<typeof check>) => (await check(args[0], { cwd, ...args[1] })).summary.errors;
  expect(await errors()).toBe(0);
  expect(await errors('dist', { contract: false })).toBe(1);
  expect(await errors(undefined, { contract: 'strict.toml' })).toBe(2);
  expect(await errors('dist', { contract: { extends: 'sitegate.toml', rules: { 'missing-description': 'error' } } })).toBe(1);
  const assert = [{ pages: '/', select: 'h1', help: 'say "it"\u007F\n' }];
  expect(await errors('dist', { contract: { rules: { 'broken-link': { level: 'warn' } }, assert } })).toBe(1);
});

test('throws if the export cannot be checked, with the incomplete report', async () => {
  const cwd = folder({ 'empty/x.txt': '' });
  await expect(check('nowhere', { cwd })).rejects.toThrow(/nowhere/u);
  const broken = check('empty', { cwd, contract: { site: { roof: 1 } } as never });
  await expect(broken).rejects.toThrow(/standard input:1:12: unknown key `roof`/u);
  const error: unknown = await check('empty', { cwd }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SitegateError);
  expect(error).toMatchObject({ exitCode: 2, report: { summary: { pages: 0 } } });
});

test('gate rejects a site that does not pass, with the settings of the build tool', async () => {
  const project = folder({ 'dist/index.html': page('<a href="/docs/">x</a><a href="https://a.test/docs/">y</a>') });
  vi.spyOn(process, 'cwd').mockReturnValue(project);
  const build = { folder: join(project, 'dist'), project };
  const seal = join(project, 'seal.json');
  await expect(gate({ ...build, site: { 'base-path': '/docs/', origin: undefined } }, { seal })).resolves.toBeUndefined();
  expect(existsSync(seal)).toBe(true);
  await expect(gate({ ...build, site: { 'base-path': '/other/' } }, {})).rejects.toThrow(/^sitegate: dist does not pass/u);
  const contract = { site: { 'base-path': '/docs/' } };
  await expect(gate({ ...build, site: { 'base-path': '/other/' } }, { contract })).resolves.toBeUndefined();
  await expect(gate({ ...build, folder: join(project, 'gone') }, {})).rejects.toThrow(/could not be checked \(exit code 2\)/u);
});

test('converts settings to TOML', () => {
  const settings = { site: { root: 'a"b\\c\n\u007F', 'clean-urls': true, host: undefined }, assert: [{ count: 2, texts: ['é', '\u0000'] }] };
  expect(toml(settings)).toBe(
    String.raw`"site" = { "root" = "a\"b\\c\n\u007F", "clean-urls" = true }` + '\n' + String.raw`"assert" = [{ "count" = 2, "texts" = ["é", "\u0000"] }]` + '\n',
  );
});
