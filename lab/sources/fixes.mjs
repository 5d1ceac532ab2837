// Measures `check --fix`: damages references, builds the project, and compares the bytes after the fix with the original ones.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { built, check, rebuild, restored } from './project.mjs';
import { answerable, choose, places } from './faults.mjs';
import { byFile, filesOf, plant } from './references.mjs';

/**
 * @typedef {import('./main.mjs').Lab} Lab
 * @typedef {import('./project.mjs').Recipe} Recipe
 * @typedef {import('./project.mjs').Report} Report
 * @typedef {import('./project.mjs').Finding} Finding
 * @typedef {import('./faults.mjs').Fault} Fault
 * @typedef {import('./references.mjs').Planted} Planted
 * @typedef {NonNullable<Finding['fix']>['edits'][number]} Edit
 * @typedef {'fixed' | 'missed' | 'wrong' | 'hidden'} Verdict
 *
 * A build with faults: its folder, the findings of the intact build, those that are new, and the certain edits.
 * @typedef {{ work: string, intact: Report, fresh: Finding[], edits: Map<string, Edit> }} Proposed
 */

export const titles = ['planted', 'shown, with an answer', 'fixed', 'share', 'shown, without an answer', 'wrong edits', 'other edits', 'next build'];
export const kindTitles = ['fault', 'fixed', 'missed', 'wrong', 'hidden'];
export const usualFaults = 250;

/** Identifies a finding in several builds. @param {Finding} finding */
const key = ({ rule, file, url, message }) => `${rule} ${file} ${url} ${message}`;

/** @param {Edit} edit */
const editKey = ({ file, start, end, new: text }) => `${file}:${start}-${end}:${text}`;

/**
 * Whether a place in a source is in a damaged reference.
 *
 * @param {{ file: string, line: number, column: number, length?: number | undefined }} place
 * @param {Planted} fault
 */
const isOf = ({ file, line, column, length = 0 }, fault) =>
  file === fault.file && line === fault.line && column < fault.column + fault.damaged.length && column + length > fault.column;

/** Whether an edit changes a planted text. @param {Edit} edit @param {Planted} fault */
export const touches = (edit, fault) => edit.file === fault.file && edit.start < fault.at + Buffer.byteLength(fault.damaged) && edit.end > fault.at;

/**
 * Returns the text at a fault after the edits; nothing if an edit reaches beyond it.
 *
 * @param {Planted} fault
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
 * Builds a project intact and with changes, which `choosePlanted` returns and which are saved, and returns both with the
 * certain edits.
 *
 * @template T
 * @param {Lab} lab
 * @param {Recipe} recipe
 * @param {string} name
 * @param {(app: string, intact: Report, intactSite: string) => { saved: T, changes: Planted[] }} choosePlanted
 * @param {(copy: string, saved: T) => void} [finish] - A change of the export.
 * @returns {Proposed & { saved: T }}
 */
export function proposed({ sitegate, again }, recipe, name, choosePlanted, finish) {
  const whole = built(recipe, 'intact', true);
  const intact = check(sitegate, recipe, whole);
  const kept = built(recipe, name, again, (copy, app) => {
    const { saved, changes } = choosePlanted(app, intact, join(whole, recipe.export));
    plant(copy, changes);
    writeFileSync(join(copy, 'faults.json'), JSON.stringify(saved));
  }, (copy) => finish?.(copy, JSON.parse(readFileSync(join(copy, 'faults.json'), 'utf8'))));
  const work = restored(kept);
  const report = check(sitegate, recipe, work);
  const before = new Set(intact.findings.map(key));
  const certain = report.findings.flatMap(({ fix }) => (fix?.certainty === 'certain' ? fix.edits : []));
  return {
    work,
    intact,
    fresh: report.findings.filter((finding) => !before.has(key(finding))),
    edits: new Map(certain.map((edit) => [editKey(edit), edit])),
    saved: JSON.parse(readFileSync(join(work, 'faults.json'), 'utf8')),
  };
}

/**
 * Judges each fault by the edits and findings.
 *
 * @template {Fault} T
 * @param {T[]} faults
 * @param {Proposed} proposal
 * @returns {[T, Verdict][]}
 */
export function judge(faults, { fresh, edits }) {
  return faults.map((fault) => {
    const own = [...edits.values()].filter((edit) => touches(edit, fault));
    if (own.length > 0) return [fault, after(fault, own) === fault.original ? 'fixed' : 'wrong'];
    return [fault, fresh.some((finding) => places(finding).some((place) => isOf(place, fault))) ? 'missed' : 'hidden'];
  });
}

/**
 * Prints judged faults, and edits of texts that were not planted. Returns the number of these edits.
 *
 * @param {[Fault, Verdict][]} judged
 * @param {Planted[]} planted
 * @param {Proposed} proposal
 * @param {Lab['isShown']} isShown
 */
export function show(judged, planted, { fresh, edits }, isShown) {
  for (const [fault, verdict] of judged.filter(([, given]) => isShown(given))) {
    const own = [...edits.values()].filter((edit) => touches(edit, fault)).map((edit) => edit.new);
    const found = fresh.find((finding) => places(finding).some((place) => isOf(place, fault)));
    const proposal = found?.fix ? ` ${found.fix.certainty} ${found.fix.edits[0]?.new}` : '';
    const detail = own.length > 0 ? `→ \`${own.join('`, `')}\`` : `(${found?.rule} ${found?.source?.certain ? 'certain' : 'uncertain'} ${found?.help ?? ''}${proposal})`;
    console.log(`  ${verdict}: ${fault.kind}: ${fault.file}:${fault.line} \`${fault.original}\` → \`${fault.damaged}\` ${detail}`);
  }
  const others = [...edits.values()].filter((edit) => !planted.some((fault) => touches(edit, fault)));
  for (const edit of others) console.log(`  own: ${edit.file}:${edit.start} \`${edit.old}\` → \`${edit.new}\``);
  return others.length;
}

/**
 * Fixes a project with damaged references, and judges each.
 *
 * @param {Lab} lab
 * @param {Recipe} recipe
 * @param {number} seed
 */
export function measure(lab, recipe, seed) {
  const proposal = proposed(lab, recipe, `fixes-${seed}-${lab.faults}`, (app, intact) => {
    const faults = choose(recipe, app, intact, { count: lab.faults, seed });
    return { saved: faults, changes: faults };
  });
  const judged = judge(proposal.saved, proposal);
  const others = show(judged, proposal.saved, proposal, lab.isShown);
  verifyWritten(lab, recipe, proposal);
  /** @param {Verdict} verdict @param {boolean} hasAnswer */
  const count = (verdict, hasAnswer) => judged.filter(([fault, other]) => other === verdict && fault.kind in answerable === hasAnswer).length;
  const [fixed, wrong] = [count('fixed', true), count('wrong', true)];
  const answered = fixed + wrong + count('missed', true);
  const share = answered > 0 ? `${((100 * fixed) / answered).toFixed(1)} %` : '';
  const failures = wrong + count('wrong', false);
  const next = lab.rebuild ? nextBuild(lab, recipe, proposal) : '';
  const kinds = judged.map(([fault, verdict]) => /** @type {[string, string]} */ ([fault.kind, verdict]));
  return { rows: [[recipe.generator, seed, judged.length, answered, fixed, share, count('missed', false), failures, others, next]], failures, kinds };
}

/**
 * Verifies that `--fix` writes exactly the certain edits of the report, and that a second run changes nothing.
 *
 * @param {Lab} lab
 * @param {Recipe} recipe
 * @param {Proposed} proposal
 */
export function verifyWritten({ sitegate }, recipe, { work, edits }) {
  // Files without edits must stay as they are.
  const expected = new Map(filesOf(work, recipe.plant).map((file) => [file, readFileSync(join(work, file))]));
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
 * @param {Lab} lab
 * @param {Recipe} recipe
 * @param {Proposed} proposal
 */
function nextBuild({ sitegate }, recipe, { work, intact, fresh, edits }) {
  rebuild(recipe, work);
  const report = check(sitegate, recipe, work);
  const present = new Set(report.findings.map(key));
  const wereFixed = fresh.filter(({ fix }) => fix?.edits.some((edit) => edits.has(editKey(edit))));
  const known = new Set([...fresh, ...intact.findings].map(key));
  const still = wereFixed.filter((finding) => present.has(key(finding))).length;
  const fresher = report.findings.filter((finding) => !known.has(key(finding)));
  for (const finding of fresher) console.log(`  new after the fix: ${key(finding)}`);
  return `${wereFixed.length} findings fixed, ${still} still there, ${fresher.length} new`;
}
