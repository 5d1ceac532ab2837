// Rehearses a release on this machine: see README.md.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { about, output } from '../../scripts/packages/about.mjs';
import { root as here, sitegate } from '../../scripts/run.mjs';
import { rewriteTable } from '../table.mjs';
import { startRegistry } from './registry.mjs';
import { replacements, table } from './table.mjs';
import { installAsUsers } from './users.mjs';
import { runWorkflow } from './workflow.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sitegate: { type: 'string' },
    quick: { type: 'boolean', default: false },
    keep: { type: 'string' },
    only: { type: 'string', default: 'workflows,users' },
  },
});

const files = positionals.filter((name) => name.endsWith('.yml'));
const root = here.replace(/\/$/u, '');
const work = flags.keep === undefined ? mkdtempSync(join(tmpdir(), 'rehearsal-')) : resolve(flags.keep);
const forge = join(work, 'forge');
mkdirSync(forge, { recursive: true });

/** The program of all platforms: the optimized one, or a build of this machine. */
function program() {
  if (flags.sitegate !== undefined) return resolve(flags.sitegate);
  output('cargo', ['build', '--profile', 'dist', '--locked', '--package', 'sitegate']);
  return sitegate('dist');
}

const registry = await startRegistry(join(forge, 'npm'));
const sha = output('git', ['rev-parse', 'HEAD']).trim();
const github = { actor: 'OWNER', event_name: 'push', repository: 'OWNER/sitegate', server_url: 'https://github.com', token: 'rehearsal', run_id: '1', sha };
const env = {
  LAB_FORGE: forge,
  LAB_PROGRAM: program(),
  LAB_RELEASES: `${about.repository}/releases`,
  LAB_NPM: registry.url,
  LAB_TARGET: join(root, 'target'),
  LAB_VERIFY: flags.quick ? '--no-verify' : '',
  LAB_INSTALL: flags.quick ? '--debug' : '',
};

/** The events that start our workflows. */
const events = {
  tag: { ref: `refs/tags/v${about.version}`, ref_name: `v${about.version}`, ref_type: 'tag', event: {} },
  push: { ref: 'refs/heads/main', ref_name: 'main', ref_type: 'branch', event: {} },
  'pull request': {
    event_name: 'pull_request',
    ref: 'refs/pull/1/merge',
    ref_name: '1/merge',
    ref_type: 'branch',
    event: { pull_request: { number: 1, head: { repo: { full_name: 'OWNER/sitegate' } } } },
  },
};

/** @type {[workflow: string, event: keyof typeof events][]} */
const runs = [
  ['program.yml', 'tag'],
  ['ci.yml', 'pull request'],
  ['release.yml', 'pull request'],
  ['release.yml', 'push'],
  ['fuzz.yml', 'push'],
];
const missing = readdirSync(join(root, '.github/workflows')).filter((file) => !runs.some(([name]) => name === file));
if (missing.length > 0) throw new Error(`no run of ${missing.join(', ')} is rehearsed`);

/** @param {string} file @param {keyof typeof events} event */
function rehearsal(file, event) {
  const folder = join(work, `${file}-${event}`.replaceAll(/\W/gu, '-'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'artifacts'), { recursive: true });
  mkdirSync(join(folder, 'target'));
  const vars = { PUBLISH_TARGET: `file://${join(folder, 'target')}`, AWS_PLAN_ROLE: 'x', AWS_PUBLISH_ROLE: 'x', AWS_REGION: 'x', IMAGE: 'registry.example/OWNER/sitegate', SITEGATE_DOCS: '' };
  return { root, forge, work: folder, github: { ...github, ...events[event] }, vars, env: { ...env, LAB_ARTIFACTS: join(folder, 'artifacts') } };
}

/** @type {import('./table.mjs').Rehearsed[]} */
const rows = [];
if (flags.only.includes('workflows')) {
  for (const [file, event] of runs.filter(([name]) => files.length === 0 || files.includes(name))) {
    const found = await runWorkflow(rehearsal(file, event), join(root, '.github/workflows', file));
    for (const row of found) rows.push(Object.assign(row, { event }));
  }
}
const isReleased = rows.every(({ verdict }) => verdict === 'passed');
if (flags.only.includes('users') && isReleased) {
  const found = await installAsUsers(rehearsal('user', 'tag'), { version: about.version, npm: registry.url, only: positionals.filter((name) => !files.includes(name)) });
  for (const row of found) rows.push(Object.assign(row, { event: '' }));
}
registry.stop();

console.log(`\n${replacements(rows)}`);
const failed = rows.filter(({ verdict }) => verdict !== 'passed');
for (const { log, job } of failed) console.log(`\n${job}: ${log}`);
if (process.env['UPDATE'] === '1') rewriteTable('release', 'rehearse-release', () => table(rows));
console.log(`\n${rows.length - failed.length} passed, ${failed.length} failed`);
if (failed.length === 0 && flags.keep === undefined) rmSync(work, { recursive: true, force: true });
process.exitCode = failed.length === 0 ? 0 : 1;
