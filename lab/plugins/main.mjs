// Builds a small site with each tool that has a plugin. The intact site must pass. Each injected fault must fail the build
// with its file and line.
//
//   lab/plugins/run [tool…] [--fresh] [--lock] [--sitegate PATH]
//
// --lock updates the lock files, with the package versions of `day`.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { root } from '../../scripts/run.mjs';
import { run } from '../real-sites/run.mjs';
import { testedProgram } from '../tested-program.mjs';

/**
 * A build of a project with a replaced text, with the expected output and exit code.
 *
 * @typedef {{ name: string, file: string, from: string, to: string, expected: string[], status: number }} Attempt
 *
 * A `gate.json`: the build command of the project, and the attempts.
 * @typedef {{ build: [string, ...string[]], env?: Record<string, string>, attempts: Attempt[] }} Plan
 */

const tools = fileURLToPath(new URL('.', import.meta.url));
const workshop = join(root, 'target', 'plugins');

/** The date of all package versions. */
const day = '2026-11-20';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fresh: { type: 'boolean', default: false },
    lock: { type: 'boolean', default: false },
    sitegate: { type: 'string' },
  },
});

const npm = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Runs the build of a project, which may fail, and returns its output and exit code.
 *
 * @param {Plan} plan
 * @param {string} project
 */
function built({ build: [command, ...args], env }, project) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: project,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: { ...process.env, CI: 'true', ASTRO_TELEMETRY_DISABLED: '1', SITEGATE_BINARY: binary, ...env },
  });
  return { status, said: stripVTControlCharacters(`${stdout}${stderr}`) };
}

/** The installed launcher. It runs SITEGATE_BINARY. */
function launcher() {
  mkdirSync(workshop, { recursive: true });
  for (const old of readdirSync(workshop).filter((name) => name.endsWith('.tgz'))) rmSync(join(workshop, old));
  run([process.execPath, 'scripts/packages/main.mjs', '--only', 'launcher', '--out', workshop], root);
  return join(workshop, ...readdirSync(workshop).filter((name) => name.endsWith('.tgz')));
}

/**
 * Creates a project with its packages and the launcher.
 *
 * @param {string} tool
 * @param {string} tarball
 */
function prepare(tool, tarball) {
  const project = join(workshop, tool);
  if (flags.fresh || flags.lock) rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  cpSync(join(tools, tool), project, { recursive: true });
  cpSync(join(root, '.npmrc'), join(project, '.npmrc'));
  if (flags.lock) {
    rmSync(join(project, 'package-lock.json'), { force: true });
    run(['npm', 'install', `--before=${day}`, ...npm], project);
    cpSync(join(project, 'package-lock.json'), join(tools, tool, 'package-lock.json'));
  } else if (!existsSync(join(project, 'node_modules'))) {
    run(['npm', 'ci', ...npm], project);
  }
  // Not installed with npm, which would request the packages of the binary.
  const installed = join(project, 'node_modules', 'sitegate');
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(installed);
  run(['tar', '-xzf', tarball, '-C', installed, '--strip-components=1'], project);
  return project;
}

/**
 * Builds a project with a replaced text, and returns the differences from the expected result.
 *
 * @param {string} project
 * @param {Plan} plan
 * @param {Attempt} planned
 */
function attempt(project, plan, { file, from, to, expected, status }) {
  const path = join(project, file);
  const intact = readFileSync(path, 'utf8');
  if (!intact.includes(from)) throw new Error(`${path}: there is no ${from}`);
  writeFileSync(path, intact.replace(from, to));
  try {
    const ended = built(plan, project);
    const missing = expected.filter((text) => !new RegExp(text, 'u').test(ended.said));
    const isRight = missing.length === 0 && (status === 0) === (ended.status === 0);
    return isRight ? undefined : `ended with ${ended.status}; missing: ${missing.join(' · ') || 'nothing'}\n${ended.said}`;
  } finally {
    writeFileSync(path, intact);
  }
}

const binary = testedProgram(flags.sitegate, 'debug');
const tarball = launcher();
const known = readdirSync(tools).filter((name) => existsSync(join(tools, name, 'gate.json')));
let failed = 0;
for (const tool of positionals.length > 0 ? positionals : known) {
  const project = prepare(tool, tarball);
  /** @type {Plan} */
  const plan = JSON.parse(readFileSync(join(project, 'gate.json'), 'utf8'));
  for (const planned of plan.attempts) {
    const start = performance.now();
    const wrong = attempt(project, plan, planned);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${wrong === undefined ? 'right' : 'WRONG'}  ${seconds.padStart(5)} s  ${tool}: ${planned.name}`);
    if (wrong !== undefined) {
      console.log(wrong);
      failed += 1;
    }
  }
}
process.exitCode = failed > 0 ? 1 : 0;
