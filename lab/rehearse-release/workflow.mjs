// Runs the jobs of a workflow and the steps of a composite action, in order, as GitHub documents it.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { interpolate, isMet, text } from './expressions.mjs';
import { environmentOf, glob, readAssignments, run } from './machine.mjs';
import { standIns } from './stand-ins.mjs';

/**
 * @typedef {import('./expressions.mjs').Context} Context
 * @typedef {{ id?: string, name?: string, if?: string, uses?: string, run?: string, shell?: string, with?: Record<string, unknown>, env?: Record<string, unknown>, 'working-directory'?: string, 'continue-on-error'?: boolean }} Step
 * @typedef {{ name?: string, needs?: string | string[], if?: string, 'runs-on': string, strategy?: { matrix: Record<string, any> }, env?: Record<string, unknown>, steps: Step[], outputs?: Record<string, string>, defaults?: { run?: Step } }} Job
 *
 * The event of a run, and the state that its jobs share.
 * @typedef {object} Rehearsal
 * @property {string} root - The working tree.
 * @property {string} forge - The folder of releases, packages and attestations.
 * @property {string} work - The folder of this run.
 * @property {Context} github
 * @property {Context} vars
 * @property {Record<string, string>} env - Variables of the lab for all steps.
 *
 * A row of the table: a job, or one leg of its matrix.
 * @typedef {{ workflow: string, job: string, verdict: string, replaced: string[], log: string }} Row
 */

/** Returns the system of a runner of GitHub, and whether this machine has the same. @param {string} label */
function runnerOf(label) {
  const os = label.startsWith('macos') ? 'macOS' : label.startsWith('windows') ? 'Windows' : 'Linux';
  const arch = /-arm|macos-\d+$/u.test(label) ? 'ARM64' : 'X64';
  return { os, arch, isHere: os === 'Linux' && arch === (process.arch === 'arm64' ? 'ARM64' : 'X64') };
}

/** Returns the legs of a matrix. @param {Record<string, any>} [matrix] @returns {Context[]} */
function legs(matrix) {
  if (matrix === undefined) return [{}];
  const { include = [], ...axes } = matrix;
  let found = /** @type {Context[]} */ ([{}]);
  for (const [name, values] of Object.entries(axes)) found = found.flatMap((leg) => values.map((/** @type {unknown} */ value) => Object.fromEntries([...Object.entries(leg), [name, value]])));
  return Object.keys(axes).length === 0 ? include : [...found, ...include];
}

/** The steps of one job, or of one use of a composite action. */
class Steps {
  /** @type {Context} */
  results = {};
  hasFailed = false;
  /** @type {Set<string>} */
  replaced = new Set();

  /**
   * @param {Rehearsal} rehearsal
   * @param {{ workspace: string, temporary: string, context: Context, env: Record<string, string>, log: string, defaults: Step }} place
   */
  constructor(rehearsal, place) {
    this.rehearsal = rehearsal;
    this.place = place;
    this.functions = {
      success: () => !this.hasFailed,
      failure: () => this.hasFailed,
      always: () => true,
      cancelled: () => false,
      hashFiles: (/** @type {unknown[]} */ ...patterns) => {
        const files = patterns.flatMap((pattern) => glob(place.workspace, text(pattern)));
        return files.length === 0 ? '' : createHash('sha256').update(Buffer.concat(files.map((file) => readFileSync(join(place.workspace, file))))).digest('hex');
      },
    };
  }

  /** @returns {Context} */
  context() {
    return { ...this.place.context, env: this.place.env, steps: this.results };
  }

  /** @param {Step[]} steps */
  async all(steps) {
    for (const [index, step] of steps.entries()) {
      const title = step.name ?? step.uses?.replace(/@.*/u, '') ?? step.run?.split('\n')[0];
      if (!isMet(step.if, this.context(), this.functions)) {
        appendFileSync(this.place.log, `--- ${title}: its condition is not met\n`);
        continue;
      }
      appendFileSync(this.place.log, `--- ${title}\n`);
      const { isRight, outputs } = await this.one(step, String(index)).catch((error) => {
        appendFileSync(this.place.log, `${error.message}\n`);
        return { isRight: false, outputs: {} };
      });
      if (step.id !== undefined) this.results[step.id] = { outputs, outcome: isRight ? 'success' : 'failure' };
      if (!isRight && !step['continue-on-error']) this.hasFailed = true;
    }
    return !this.hasFailed;
  }

  /** @param {Step} step @param {string} index @returns {Promise<{ isRight: boolean, outputs: Record<string, string> }>} */
  async one(step, index) {
    const own = interpolate(step.env ?? {}, this.context(), this.functions);
    const env = Object.fromEntries(Object.entries({ ...this.place.env, ...own }).map(([name, value]) => [name, text(value)]));
    const context = { ...this.context(), env };
    if (step.run !== undefined) return this.script(step, context, env, index);
    const inputs = interpolate(step.with ?? {}, context, this.functions);
    const given = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, text(value)]));
    const [action = ''] = (step.uses ?? '').split('@');
    const standIn = standIns[action];
    if (standIn === undefined) throw new Error(`there is no stand-in for the action ${action}`);
    this.replaced.add(`${action}: ${standIn.by}`);
    const { root, forge, work } = this.rehearsal;
    const outputs = await standIn.run?.({ root, workspace: this.place.workspace, forge, artifacts: join(work, 'artifacts'), env, inputs: given });
    return { isRight: true, outputs: /** @type {Record<string, string>} */ (outputs ?? {}) };
  }

  /** @param {Step} step @param {Context} context @param {Record<string, string>} env @param {string} index */
  async script(step, context, env, index) {
    const { workspace, temporary, log, defaults } = this.place;
    const files = Object.fromEntries(['OUTPUT', 'ENV', 'PATH', 'STEP_SUMMARY'].map((name) => [`GITHUB_${name}`, join(temporary, `${name}-${index}`)]));
    for (const file of Object.values(files)) writeFileSync(file, '');
    const script = join(temporary, `step-${index}.sh`);
    writeFileSync(script, interpolate(step.run, context, this.functions));
    const shell = (step.shell ?? defaults.shell) === 'bash' ? ['bash', '--noprofile', '--norc', '-e', '-o', 'pipefail'] : ['bash', '-e'];
    const cwd = resolve(workspace, interpolate(step['working-directory'] ?? defaults['working-directory'] ?? '.', context, this.functions));
    const { status } = await run([...shell, script], { cwd, env: { ...env, ...files, LAB_REPLACED: join(temporary, 'replaced') }, log });
    Object.assign(this.place.env, readAssignments(files['GITHUB_ENV'] ?? ''));
    for (const folder of readFileSync(files['GITHUB_PATH'] ?? '', 'utf8').split('\n').filter(Boolean)) this.place.env['PATH'] = [folder, this.place.env['PATH']].join(delimiter);
    appendFileSync(join(temporary, 'summary.md'), readFileSync(files['GITHUB_STEP_SUMMARY'] ?? ''));
    if (existsSync(join(temporary, 'replaced'))) readFileSync(join(temporary, 'replaced'), 'utf8').split('\n').filter(Boolean).forEach((line) => this.replaced.add(line));
    return { isRight: status === 0, outputs: readAssignments(files['GITHUB_OUTPUT'] ?? '') };
  }
}

/**
 * Runs a composite action, and returns whether it passed, and its outputs and summary.
 *
 * @param {Rehearsal} rehearsal
 * @param {string} folder - The folder of action.yml.
 * @param {{ workspace: string, inputs: Record<string, string>, temporary: string, log: string }} use
 */
export async function runAction(rehearsal, folder, { workspace, inputs, temporary, log }) {
  const action = parse(readFileSync(join(folder, 'action.yml'), 'utf8'));
  mkdirSync(temporary, { recursive: true });
  const defaults = Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, text(/** @type {any} */ (input).default)]));
  const github = { ...rehearsal.github, action_path: folder, action_repository: rehearsal.github['repository'] };
  const runner = { os: 'Linux', arch: process.arch === 'arm64' ? 'ARM64' : 'X64', temp: temporary };
  const env = { ...environmentOf(join(temporary, 'home')), ...rehearsal.env, ...variables(github, runner, workspace) };
  const steps = new Steps(rehearsal, { workspace, temporary, context: { github, runner, inputs: { ...defaults, ...inputs } }, env, log, defaults: {} });
  const isRight = await steps.all(action.runs.steps);
  const outputs = Object.entries(action.outputs ?? {}).map(([name, output]) => [name, interpolate(/** @type {any} */ (output).value, steps.context(), steps.functions)]);
  const summary = existsSync(join(temporary, 'summary.md')) ? readFileSync(join(temporary, 'summary.md'), 'utf8') : '';
  return { isRight, outputs: Object.fromEntries(outputs), summary, env: steps.place.env, replaced: [...steps.replaced] };
}

/** The variables that every step has. @param {Context} github @param {Context} runner @param {string} workspace */
function variables(github, runner, workspace) {
  const names = ['actor', 'event_name', 'ref', 'ref_name', 'ref_type', 'repository', 'run_id', 'server_url', 'sha', 'workflow'];
  return {
    ...Object.fromEntries(names.map((name) => [`GITHUB_${name.toUpperCase()}`, text(github[name])])),
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: workspace,
    RUNNER_OS: text(runner['os']),
    RUNNER_ARCH: text(runner['arch']),
    RUNNER_TEMP: text(runner['temp']),
  };
}

/**
 * Runs a job or one leg of its matrix.
 *
 * @param {Rehearsal} rehearsal
 * @param {{ workflow: any, id: string, job: Job, matrix: Context, needs: Context, key: string }} leg
 */
async function runLeg(rehearsal, { workflow, id, job, matrix, needs, key }) {
  const home = join(rehearsal.work, key);
  const [workspace, temporary, log] = [join(home, 'workspace'), join(home, 'temporary'), join(home, 'log')];
  for (const folder of [workspace, temporary]) mkdirSync(folder, { recursive: true });
  writeFileSync(log, '');
  const github = { ...rehearsal.github, workflow: workflow.name, workspace };
  const base = { github, vars: rehearsal.vars, matrix, needs, inputs: {}, secrets: {} };
  const { isHere, ...machine } = runnerOf(interpolate(job['runs-on'], base, {}));
  const runner = { ...machine, temp: temporary };
  const context = { ...base, runner };
  const env = { ...environmentOf(join(home, 'home')), ...rehearsal.env, ...variables(github, runner, workspace), LAB_MACHINE: isHere ? 'here' : 'other' };
  const steps = new Steps(rehearsal, { workspace, temporary, context, env, log, defaults: job.defaults?.run ?? {} });
  for (const values of [workflow.env, job.env]) Object.assign(env, interpolate(values ?? {}, { ...context, env }, steps.functions));
  const isRight = await steps.all(job.steps);
  const name = job.name === undefined ? id : interpolate(job.name, context, steps.functions);
  const place = isHere ? [] : [`a runner with ${machine.os} on ${machine.arch}: this machine`];
  const outputs = interpolate(job.outputs ?? {}, steps.context(), steps.functions);
  return { isRight, outputs, row: { workflow: workflow.name, job: name, verdict: isRight ? 'passed' : 'FAILED', replaced: [...place, ...steps.replaced], log } };
}

/**
 * Runs a workflow for an event, and returns a row for each leg of each job.
 *
 * @param {Rehearsal} rehearsal
 * @param {string} file
 * @returns {Promise<Row[]>}
 */
export async function runWorkflow(rehearsal, file) {
  const workflow = parse(readFileSync(file, 'utf8'));
  /** @type {Row[]} */
  const rows = [];
  /** @type {Context} */
  const results = {};
  const jobs = /** @type {[string, Job][]} */ (Object.entries(workflow.jobs));
  for (let [next] = jobs; next !== undefined; [next] = jobs) {
    const [id, job] = /** @type {[string, Job]} */ (jobs.find(([, { needs = [] }]) => [needs].flat().every((name) => name in results)));
    jobs.splice(jobs.findIndex(([name]) => name === id), 1);
    const needs = Object.fromEntries([job.needs ?? []].flat().map((name) => [name, results[name]]));
    const isReady = Object.values(needs).every((need) => /** @type {any} */ (need).result === 'success');
    const github = { ...rehearsal.github, workflow: workflow.name };
    const functions = { success: () => isReady, always: () => true, failure: () => !isReady, cancelled: () => false };
    if (!isMet(job.if, { github, vars: rehearsal.vars, needs }, functions)) {
      results[id] = { result: 'skipped', outputs: {} };
      if (Object.values(needs).some((need) => /** @type {any} */ (need).result === 'failure')) rows.push({ workflow: workflow.name, job: job.name ?? id, verdict: 'not reached', replaced: [], log: '' });
      continue;
    }
    const outputs = {};
    let isRight = true;
    for (const [index, matrix] of legs(job.strategy?.matrix).entries()) {
      const leg = await runLeg(rehearsal, { workflow, id, job, matrix, needs, key: `${workflow.name}-${id}-${index}`.toLowerCase().replaceAll(/[^a-z0-9-]/gu, '-') });
      isRight &&= leg.isRight;
      Object.assign(outputs, leg.outputs);
      rows.push(leg.row);
      console.log(`${leg.row.verdict.padEnd(7)} ${leg.row.workflow}: ${leg.row.job}`);
    }
    results[id] = { result: isRight ? 'success' : 'failure', outputs };
  }
  return rows;
}
