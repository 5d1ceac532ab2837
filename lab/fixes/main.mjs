// Measures `check --fix`: damages references in the sources of third-party documentation, builds it with its generator, and
// compares the bytes after the fix with the original ones.
//
//   lab/fixes/run [project…] [--faults N] [--seed N[,N…]] [--again] [--show wrong,missed] [--rebuild] [--sitegate PATH]
import { cpSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { spawnSync } from 'node:child_process';
import { run, sitegate as program } from '../../scripts/run.mjs';
import { built, copied, project } from '../sources/project.mjs';
import { answerable } from './faults.mjs';
import { after, byFile, choose, isOf, places, plant, touches } from './plant.mjs';

/**
 * @typedef {import('../sources/project.mjs').Recipe} Recipe
 * @typedef {import('./plant.mjs').Fault} Fault
 * @typedef {import('../../packages/sitegate/report.d.ts').Report} Report
 * @typedef {Report['findings'][number]} Finding
 * @typedef {NonNullable<Finding['fix']>['edits'][number]} Edit
 *
 * @typedef {'fixed' | 'wrong' | 'missed' | 'hidden'} Verdict
 */

const folder = fileURLToPath(new URL('../sources/projects/', import.meta.url));
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    faults: { type: 'string', default: '250' },
    seed: { type: 'string', default: '1' },
    again: { type: 'boolean', default: false },
    show: { type: 'string', default: 'wrong' },
    rebuild: { type: 'boolean', default: false },
    sitegate: { type: 'string' },
  },
});

/**
 * Checks an export, and returns its report.
 *
 * @param {string} sitegate
 * @param {Recipe} recipe
 * @param {string} home
 * @param {string[]} [options]
 * @returns {Report}
 */
function check(sitegate, recipe, home, options = []) {
  writeFileSync(join(home, 'sitegate.toml'), `[source]\ninclude = ${JSON.stringify(recipe.include)}\n`);
  const file = join(home, 'report.json');
  const args = ['check', recipe.export, '--config', 'sitegate.toml', '--report', `json=${file}`, ...options];
  const { status, stderr } = spawnSync(sitegate, args, { cwd: home, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status === 2 || status === null) throw new Error(stderr);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Identifies a finding in several builds. @param {Finding} finding */
const key = ({ rule, file, url, message }) => `${rule} ${file} ${url} ${message}`;

/**
 * Builds a project intact, and with faults. Keeps both for `--again`.
 *
 * @param {Recipe} recipe
 * @param {string} sitegate
 * @param {number} seed
 */
function make(recipe, sitegate, seed) {
  const made = project(recipe);
  const [intact, notes] = [join(made.home, 'intact'), join(made.home, `fixes-${seed}-${flags.faults}`)];
  if (!existsSync(join(intact, recipe.export))) {
    built(recipe, copied(made, 'work'), made.env);
    rmSync(intact, { recursive: true, force: true });
    renameSync(join(made.home, 'work'), intact);
  }
  const report = check(sitegate, recipe, intact);
  if (!flags.again || !existsSync(join(notes, 'faults.json'))) {
    const faults = choose(recipe.plant, made.app, report, { count: Number(flags.faults), seed });
    const copy = copied(made, 'work');
    plant(copy, faults);
    built(recipe, copy, made.env);
    rmSync(notes, { recursive: true, force: true });
    renameSync(copy, notes);
    writeFileSync(join(notes, 'faults.json'), JSON.stringify(faults));
  }
  // The fix changes sources, so that it works on a copy, in the folder where the export was built.
  const work = join(made.home, 'work');
  rmSync(work, { recursive: true, force: true });
  // The export must stay newer than its sources.
  cpSync(notes, work, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  /** @type {Fault[]} */
  const faults = JSON.parse(readFileSync(join(notes, 'faults.json'), 'utf8'));
  return { work, faults, intact: report, env: made.env };
}

/**
 * Fixes a project, and judges each fault.
 *
 * @param {Recipe} recipe
 * @param {string} sitegate
 * @param {number} seed
 */
function measure(recipe, sitegate, seed) {
  const { work, faults, intact, env } = make(recipe, sitegate, seed);
  const report = check(sitegate, recipe, work);
  const before = new Set(intact.findings.map(key));
  const fresh = report.findings.filter((finding) => !before.has(key(finding)));
  /** @type {Map<string, Edit>} */
  const edits = new Map();
  for (const { fix } of report.findings) {
    if (fix?.certainty === 'certain') for (const edit of fix.edits) edits.set(`${edit.file}:${edit.start}-${edit.end}:${edit.new}`, edit);
  }
  /** @type {[Fault, Verdict][]} */
  const judged = faults.map((fault) => {
    const own = [...edits.values()].filter((edit) => touches(edit, fault));
    if (own.length > 0) return [fault, after(fault, own) === fault.original ? 'fixed' : 'wrong'];
    const isShown = fresh.some((finding) => places(finding).some((place) => isOf(place, fault)));
    return [fault, isShown ? 'missed' : 'hidden'];
  });
  const others = [...edits.values()].filter((edit) => !faults.some((fault) => touches(edit, fault)));
  const shown = new Set(flags.show.split(','));
  for (const [fault, verdict] of judged.filter(([, given]) => shown.has(given))) {
    const own = [...edits.values()].filter((edit) => touches(edit, fault)).map((edit) => edit.new);
    const found = fresh.find((finding) => places(finding).some((place) => isOf(place, fault)));
    console.log(`  ${verdict}: ${fault.kind}: ${fault.file}:${fault.line} \`${fault.original}\` → \`${fault.damaged}\` ${own.length > 0 ? `→ \`${own.join('`, `')}\`` : `(${found?.rule} ${found?.source?.certain ? 'certain' : 'uncertain'} ${found?.help ?? ''}${found?.fix ? ` ${found.fix.certainty} ${found.fix.edits[0]?.new}` : ''})`}`);
  }
  for (const edit of others) console.log(`  own: ${edit.file}:${edit.start} \`${edit.old}\` → \`${edit.new}\``);
  verifyWritten(recipe, sitegate, work, edits);
  const remaining = flags.rebuild ? rebuilt(recipe, sitegate, { work, env, fresh, edits }) : '';
  return { judged, others: others.length, remaining };
}

/**
 * Verifies that `--fix` writes exactly the certain edits of the report, and that a second run changes nothing.
 *
 * @param {Recipe} recipe
 * @param {string} sitegate
 * @param {string} work
 * @param {Map<string, Edit>} edits
 */
function verifyWritten(recipe, sitegate, work, edits) {
  /** @type {Map<string, Buffer>} */
  const expected = new Map();
  for (const [file, inFile] of byFile(edits.values())) {
    let text = readFileSync(join(work, file));
    for (const edit of inFile.toSorted((a, b) => b.start - a.start)) text = Buffer.concat([text.subarray(0, edit.start), Buffer.from(edit.new), text.subarray(edit.end)]);
    expected.set(file, text);
  }
  for (const time of ['first', 'second']) {
    check(sitegate, recipe, work, ['--fix', '--allow-dirty']);
    for (const [file, text] of expected) if (!readFileSync(join(work, file)).equals(text)) throw new Error(`${file} is not as expected after the ${time} --fix`);
  }
}

/**
 * Builds the fixed sources again. Returns how many of the fixed findings are still there, and how many are new.
 *
 * @param {Recipe} recipe
 * @param {string} sitegate
 * @param {{ work: string, env: NodeJS.ProcessEnv, fresh: Finding[], edits: Map<string, Edit> }} fixed
 */
function rebuilt(recipe, sitegate, { work, env, fresh, edits }) {
  rmSync(join(work, recipe.export), { recursive: true, force: true });
  built(recipe, work, env);
  const report = check(sitegate, recipe, work);
  const present = new Set(report.findings.map(key));
  const wereFixed = fresh.filter(({ fix }) => fix?.edits.some((edit) => edits.has(`${edit.file}:${edit.start}-${edit.end}:${edit.new}`)));
  const known = new Set(fresh.map(key));
  const intact = new Set(JSON.parse(readFileSync(join(work, '..', 'intact', 'report.json'), 'utf8')).findings.map(key));
  const still = wereFixed.filter((finding) => present.has(key(finding))).length;
  const fresher = report.findings.filter((finding) => !known.has(key(finding)) && !intact.has(key(finding)));
  for (const finding of fresher) console.log(`  new after the fix: ${key(finding)}`);
  return `${wereFixed.length} findings fixed, ${still} still there, ${fresher.length} new`;
}

const known = readdirSync(folder).map((name) => name.replace('.json', '')).toSorted();
/** @type {Recipe[]} */
const recipes = (positionals.length > 0 ? positionals : known).map((name) => Object.assign(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')), { name }));
if (!flags.sitegate) run('cargo', ['build', '--quiet', '--release', '--bin', 'sitegate']);
const sitegate = resolve(flags.sitegate ?? program('release'));
/** @type {Map<string, Record<Verdict, number>>} */
const kinds = new Map();
/** @type {(string | number)[][]} */
const rows = [];
/** @param {[Fault, Verdict][]} judged @param {Verdict} verdict @param {boolean} hasAnswer */
const count = (judged, verdict, hasAnswer) => judged.filter(([fault, other]) => other === verdict && fault.kind in answerable === hasAnswer).length;
for (const recipe of recipes) {
  for (const seed of flags.seed.split(',').map(Number)) {
    const { judged, others, remaining } = measure(recipe, sitegate, seed);
    const [fixed, missed] = [count(judged, 'fixed', true), count(judged, 'missed', true)];
    const wrong = count(judged, 'wrong', true) + count(judged, 'wrong', false);
    const share = fixed + missed + wrong > 0 ? `${((100 * fixed) / (fixed + missed + count(judged, 'wrong', true))).toFixed(1)} %` : '';
    rows.push([recipe.name, seed, judged.length, fixed + missed + count(judged, 'wrong', true), fixed, share, count(judged, 'missed', false), wrong, others]);
    console.log(`${recipe.name}, seed ${seed}: ${fixed} of ${fixed + missed} fixed (${share}), ${wrong} wrong, ${others} other edits. ${remaining}`);
    for (const [fault, verdict] of judged) {
      const of = kinds.get(fault.kind) ?? { fixed: 0, wrong: 0, missed: 0, hidden: 0 };
      of[verdict] += 1;
      kinds.set(fault.kind, of);
    }
    if (wrong > 0) process.exitCode = 1;
  }
}
/** @param {string[]} titles @param {(string | number)[][]} body */
const table = (titles, body) => [titles, titles.map((_, column) => (column === 0 ? '---' : '---:')), ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');
console.log(`\n${table(['project', 'seed', 'planted', 'shown, with an answer', 'fixed', 'share', 'shown, without an answer', 'wrong edits', 'other edits'], rows)}`);
console.log(`\n${table(['fault', 'fixed', 'not fixed', 'wrong', 'not shown'], [...kinds].map(([kind, of]) => [kind, of.fixed, of.missed, of.wrong, of.hidden]))}`);
