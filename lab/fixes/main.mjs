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
import { dice, targets } from '../sources/plant.mjs';
import { built, copied, project } from '../sources/project.mjs';
import { answerable, unanswerable } from './faults.mjs';

/**
 * @typedef {import('../sources/project.mjs').Recipe} Recipe
 * @typedef {import('../../packages/sitegate/report.d.ts').Report} Report
 * @typedef {Report['findings'][number]} Finding
 * @typedef {NonNullable<Finding['fix']>['edits'][number]} Edit
 *
 * A damaged reference: its file, the offset of its first byte before and after the damage, its line and column after the
 * damage, and its texts.
 * @typedef {{ file: string, start: number, at: number, line: number, column: number, kind: string, original: string, damaged: string }} Fault
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

/** The share of faults without an answer. */
const UNANSWERABLE = 0.2;

/**
 * Checks an export. Returns its report, and what the program printed.
 *
 * @param {string} sitegate
 * @param {Recipe} recipe
 * @param {string} home
 * @param {string[]} [options]
 * @returns {{ report: Report, text: string }}
 */
function check(sitegate, recipe, home, options = []) {
  writeFileSync(join(home, 'sitegate.toml'), `[source]\ninclude = ${JSON.stringify(recipe.include)}\n`);
  const file = join(home, 'report.json');
  const args = ['check', recipe.export, '--config', 'sitegate.toml', '--report', `json=${file}`, ...options];
  const { status, stdout, stderr } = spawnSync(sitegate, args, { cwd: home, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status === 2 || status === null) throw new Error(stderr);
  return { report: JSON.parse(readFileSync(file, 'utf8')), text: stdout };
}

/**
 * Groups things by their file.
 *
 * @template {{ file: string }} T
 * @param {Iterable<T>} things
 * @returns {Map<string, T[]>}
 */
function byFile(things) {
  const files = new Map();
  for (const thing of things) files.set(thing.file, [...(files.get(thing.file) ?? []), thing]);
  return files;
}

/** The places of a finding in the sources. @param {Finding} finding */
const places = ({ source, candidates = [] }) => (source?.certain ? [source] : candidates);

/**
 * Whether a place in a source is in a damaged reference.
 *
 * @param {{ file: string, line: number, column: number, length?: number }} place
 * @param {Fault} fault
 */
function isOf({ file, line, column, length = 0 }, fault) {
  return file === fault.file && line === fault.line && column < fault.column + fault.damaged.length && column + length > fault.column;
}

/**
 * Selects references that work, and damages them.
 *
 * @param {Recipe} recipe
 * @param {string} app
 * @param {Report} intact
 * @param {number} seed
 * @returns {Fault[]}
 */
function choose(recipe, app, intact, seed) {
  const roll = dice(seed);
  const broken = new Set(intact.findings.flatMap((finding) => places(finding).map(({ file, line }) => `${file}:${line}`)));
  const names = readdirSync(app, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const planted = names.filter((name) => recipe.plant.some((pattern) => new RegExp(pattern, 'u').test(name))).toSorted();
  const all = planted.flatMap((file) => {
    const text = readFileSync(join(app, file), 'utf8');
    return targets(file, text)
      .map((target) => ({ ...target, line: text.slice(0, target.start).split('\n').length, at: Buffer.byteLength(text.slice(0, target.start)) }))
      .filter(({ line }) => !broken.has(`${file}:${line}`));
  });
  /** @type {Map<string, Fault>} */
  const chosen = new Map();
  for (let tries = 0; tries < 4 * Number(flags.faults) && chosen.size < Number(flags.faults); tries += 1) {
    // First the kind, so that no kind is rare because few references can be damaged in its way.
    const kinds = Object.entries(roll() < UNANSWERABLE ? unanswerable : answerable);
    const [kind, damage] = kinds[Math.floor(roll() * kinds.length)] ?? ['', () => undefined];
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const target = all[Math.floor(roll() * all.length)];
      const damaged = target && damage(target.target, roll);
      const place = `${target?.file}:${target?.at}`;
      if (target === undefined || damaged === undefined || damaged === target.target || chosen.has(place)) continue;
      chosen.set(place, { file: target.file, start: target.at, at: target.at, line: target.line, column: 0, kind, original: target.target, damaged });
      break;
    }
  }
  return [...chosen.values()];
}

/**
 * Writes the damaged references, and sets their offsets.
 *
 * @param {string} copy
 * @param {Fault[]} faults
 */
function plant(copy, faults) {
  for (const [file, inFile] of byFile(faults)) {
    const sorted = inFile.toSorted((a, b) => a.start - b.start);
    const bytes = readFileSync(join(copy, file));
    /** @type {Buffer[]} */
    const parts = [];
    let [end, moved] = [0, 0];
    for (const fault of sorted) {
      const [original, damaged] = [Buffer.from(fault.original), Buffer.from(fault.damaged)];
      parts.push(bytes.subarray(end, fault.start), damaged);
      fault.at = fault.start + moved;
      const before = Buffer.concat([...parts.slice(0, -1)]).toString();
      fault.column = [...before.slice(before.lastIndexOf('\n') + 1)].length + 1;
      moved += damaged.length - original.length;
      end = fault.start + original.length;
    }
    writeFileSync(join(copy, file), Buffer.concat([...parts, bytes.subarray(end)]));
  }
}

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
  const { report } = check(sitegate, recipe, intact);
  if (!flags.again || !existsSync(join(notes, 'faults.json'))) {
    const faults = choose(recipe, made.app, report, seed);
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
 * Returns the text at a fault after the edits; nothing if an edit reaches beyond it.
 *
 * @param {Fault} fault
 * @param {Edit[]} edits
 */
function after(fault, edits) {
  let text = Buffer.from(fault.damaged);
  for (const edit of edits.toSorted((a, b) => b.start - a.start)) {
    const [from, to] = [edit.start - fault.at, edit.end - fault.at];
    if (from < 0 || to > Buffer.byteLength(fault.damaged)) return undefined;
    text = Buffer.concat([text.subarray(0, from), Buffer.from(edit.new), text.subarray(to)]);
  }
  return text.toString();
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
  const { report } = check(sitegate, recipe, work);
  /** @param {Finding} finding */
  const key = (finding) => `${finding.rule} ${finding.file} ${finding.url} ${finding.message}`;
  const before = new Set(intact.findings.map(key));
  const fresh = report.findings.filter((finding) => !before.has(key(finding)));
  /** @type {Map<string, Edit>} */
  const edits = new Map();
  for (const { fix } of report.findings) {
    if (fix?.certainty === 'certain') for (const edit of fix.edits) edits.set(`${edit.file}:${edit.start}-${edit.end}:${edit.new}`, edit);
  }
  /** @param {Edit} edit @param {Fault} fault */
  const touches = (edit, fault) => edit.file === fault.file && edit.start < fault.at + Buffer.byteLength(fault.damaged) && edit.end > fault.at;
  /** @type {[Fault, Verdict][]} */
  const judged = faults.map((fault) => {
    const own = [...edits.values()].filter((edit) => touches(edit, fault));
    if (own.length > 0) return [fault, after(fault, own) === fault.original ? 'fixed' : 'wrong'];
    const isShown = fresh.some((finding) => places(finding).some((place) => isOf(place, fault)));
    return [fault, isShown ? 'missed' : 'hidden'];
  });
  const others = [...edits.values()].filter((edit) => !faults.some((fault) => touches(edit, fault)));
  const shown = new Set(flags.show.split(','));
  for (const [fault, verdict] of judged.filter(([, verdict]) => shown.has(verdict))) {
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
  const { report } = check(sitegate, recipe, work);
  /** @param {Finding} finding */
  const key = (finding) => `${finding.rule} ${finding.file} ${finding.url}`;
  const present = report.findings.map(key);
  const wereFixed = fresh.filter(({ fix }) => fix?.edits.some((edit) => edits.has(`${edit.file}:${edit.start}-${edit.end}:${edit.new}`)));
  const known = new Set(fresh.map(key));
  const intact = new Set(JSON.parse(readFileSync(join(work, '..', 'intact', 'report.json'), 'utf8')).findings.map(key));
  const still = wereFixed.filter((finding) => present.includes(key(finding))).length;
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
