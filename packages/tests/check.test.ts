// Tests `check` and the gate of the plugins with different contracts.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import eleventy from '../sitegate/eleventy.js';
import { check, SitegateError } from '../sitegate/index.js';
import { gate } from '../sitegate/gate.js';
import { toml } from '../sitegate/toml.js';
import { folder, page, program, root, run, script } from './folder.ts';

beforeEach(() => void vi.stubEnv('SITEGATE_BINARY', program));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('returns the report', async () => {
  const cwd = folder({ 'dist/index.html': page('<a href="/gone">x</a>') });
  const report = await check('dist', { cwd });
  expect(report).toMatchObject({ passed: false, summary: { pages: 1, errors: 1 } });
  expect(report.findings[0]).toMatchObject({ rule: 'broken-link', file: 'index.html', line: 3, url: '/gone' });
});

test('adds the page of the rule to each finding, if the program was built with documentation', async () => {
  const report = { tool: { documentation: 'https://docs.test/gate' }, findings: [{ rule: 'broken-link' }], verdict: 'failed' };
  vi.stubEnv('SITEGATE_BINARY', script(`cat > /dev/null; echo '${JSON.stringify(report)}'; exit 1`));
  expect((await check()).findings[0]?.rule_url).toBe('https://docs.test/gate/rules/broken-link.html');
  vi.stubEnv('SITEGATE_BINARY', script(`cat > /dev/null; echo '${JSON.stringify({ ...report, tool: {} })}'; exit 1`));
  expect((await check()).findings[0]).toStrictEqual({ rule: 'broken-link' });
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
  await expect(broken).rejects.toThrow(/the option `contract`: unknown key `roof`; did you mean `root`\?$/u);
  const error: unknown = await check('empty', { cwd }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SitegateError);
  expect(error).toMatchObject({ exitCode: 2, report: { summary: { pages: 0 } } });
});

test('gate rejects a site that does not pass, with the settings of the build tool', async () => {
  const project = folder({ 'dist/index.html': page('<a href="/docs/">x</a><a href="https://a.test/docs/">y</a>') });
  vi.spyOn(process, 'cwd').mockReturnValue(project);
  const build = { plugin: 'sitegate/vite', folder: join(project, 'dist'), project };
  const seal = join(project, 'seal.json');
  await expect(gate({ ...build, site: { 'base-path': '/docs/', origin: undefined } }, { seal })).resolves.toBeUndefined();
  expect(existsSync(seal)).toBe(true);
  await expect(gate({ ...build, site: { 'base-path': '/other/' } }, {})).rejects.toThrow(/^sitegate: dist does not pass/u);
  const contract = { site: { 'base-path': '/docs/' } };
  await expect(gate({ ...build, site: { 'base-path': '/other/' } }, { contract })).resolves.toBeUndefined();
  await expect(gate({ ...build, folder: join(project, 'gone') }, {})).rejects.toThrow(/could not be checked \(exit code 2\)/u);
});

test('gate fails on errors, on warnings, or never, and writes reports', async () => {
  const project = folder({ 'dist/index.html': page('<img src="data:,">'), 'broken/index.html': page('<a href="/gone">x</a>') });
  vi.spyOn(process, 'cwd').mockReturnValue(project);
  const warned = { plugin: 'sitegate/vite', folder: join(project, 'dist'), project };
  const broken = { plugin: 'sitegate/vite', folder: join(project, 'broken'), project };
  await expect(gate(warned, {})).resolves.toBeUndefined();
  await expect(gate(warned, { failOn: 'warning' })).rejects.toThrow(/^sitegate: dist has warnings, see above$/u);
  await expect(gate(warned, { failOn: 'warning', args: ['--no-config'], contract: { rules: { 'missing-alt': 'off' } } })).rejects.toThrow(/exit code 2/u);
  await expect(gate(warned, { failOn: 'warning', contract: { rules: { 'missing-alt': 'off' } } })).resolves.toBeUndefined();
  const reports = { html: join(project, 'report.html'), json: join(project, 'report.json') };
  await expect(gate(broken, { failOn: 'never', reports })).resolves.toBeUndefined();
  expect(Object.values(reports).every((file) => existsSync(file))).toBe(true);
  await expect(gate({ ...broken, folder: join(project, 'gone') }, { failOn: 'never' })).rejects.toThrow(/could not be checked/u);
  await check('broken', { cwd: project, args: ['--write-baseline', 'known.json'] }).catch(() => {});
  await expect(gate(broken, { baseline: 'known.json' })).resolves.toBeUndefined();
});

test('converts settings to TOML', () => {
  const settings = { site: { root: 'a"b\\c\n\u007F', 'clean-urls': true, host: undefined }, assert: [{ count: 2, texts: ['é', '\u0000'] }] };
  expect(toml(settings)).toBe(
    String.raw`"site" = { "root" = "a\"b\\c\n\u007F", "clean-urls" = true }` + '\n' + String.raw`"assert" = [{ "count" = 2, "texts" = ["é", "\u0000"] }]` + '\n',
  );
});

test('names the plugin in errors, and skips builds in watch mode', async () => {
  const project = folder({ 'dist/index.html': page('<a href="/">x</a>') });
  const build = join(project, 'build.js');
  const options = '{ contract: { rulez: {} } }';
  writeFileSync(build, `import { gate } from '${join(root, 'packages/sitegate/gate.js')}';\nawait gate({ plugin: 'sitegate/vite', folder: 'dist', project: '.' }, ${options});\n`);
  expect(run('node', [build], project).stderr).toContain('error: options of sitegate/vite: unknown key `rulez`; did you mean `rules`?\n');

  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const built: ((event: object) => Promise<void>)[] = [];
  eleventy({ on: (_: string, callback: (event: never) => Promise<void>) => built.push(callback as never) });
  const watched = { runMode: 'watch', dir: { input: '.', output: 'dist' } };
  await built[0]?.(watched);
  await built[0]?.(watched);
  expect(warn.mock.calls).toStrictEqual([['sitegate: not checked in watch mode']]);
});
