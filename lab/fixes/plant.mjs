// Damages references in the sources of a project, and relates findings and edits to the damage.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dice, targets } from '../sources/plant.mjs';
import { answerable, unanswerable } from './faults.mjs';

/**
 * @typedef {import('../../packages/sitegate/report.d.ts').Report} Report
 * @typedef {Report['findings'][number]} Finding
 * @typedef {NonNullable<Finding['fix']>['edits'][number]} Edit
 *
 * A damaged reference: its file, the offset of its first byte before and after the damage, its line and column after the
 * damage, and its texts.
 * @typedef {{ file: string, start: number, at: number, line: number, column: number, kind: string, original: string, damaged: string }} Fault
 */

/** The share of faults without an answer. */
const UNANSWERABLE = 0.2;

/**
 * Groups things by their file.
 *
 * @template {{ file: string }} T
 * @param {Iterable<T>} things
 * @returns {Map<string, T[]>}
 */
export function byFile(things) {
  const files = new Map();
  for (const thing of things) files.set(thing.file, [...(files.get(thing.file) ?? []), thing]);
  return files;
}

/** The places of a finding in the sources. @param {Finding} finding */
export const places = ({ source, candidates = [] }) => (source?.certain ? [source] : candidates);

/**
 * Whether a place in a source is in a damaged reference.
 *
 * @param {{ file: string, line: number, column: number, length?: number | undefined }} place
 * @param {Fault} fault
 */
export function isOf({ file, line, column, length = 0 }, fault) {
  return file === fault.file && line === fault.line && column < fault.column + fault.damaged.length && column + length > fault.column;
}

/** Whether an edit changes a damaged reference. @param {Edit} edit @param {Fault} fault */
export const touches = (edit, fault) => edit.file === fault.file && edit.start < fault.at + Buffer.byteLength(fault.damaged) && edit.end > fault.at;

/**
 * Selects references that work, and damages them.
 *
 * @param {string[]} patterns of files
 * @param {string} app
 * @param {Report} intact
 * @param {{ count: number, seed: number }} options
 * @returns {Fault[]}
 */
export function choose(patterns, app, intact, { count, seed }) {
  const roll = dice(seed);
  const broken = new Set(intact.findings.flatMap((finding) => places(finding).map(({ file, line }) => `${file}:${line}`)));
  const names = readdirSync(app, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const planted = names.filter((name) => patterns.some((pattern) => new RegExp(pattern, 'u').test(name))).toSorted();
  const all = planted.flatMap((file) => {
    const text = readFileSync(join(app, file), 'utf8');
    return targets(file, text)
      .map((target) => Object.assign(target, { line: text.slice(0, target.start).split('\n').length, at: Buffer.byteLength(text.slice(0, target.start)) }))
      .filter(({ line }) => !broken.has(`${file}:${line}`));
  });
  /** @type {Map<string, Fault>} */
  const chosen = new Map();
  for (let tries = 0; tries < 4 * count && chosen.size < count; tries += 1) {
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
export function plant(copy, faults) {
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
      const before = Buffer.concat(parts.slice(0, -1)).toString();
      fault.column = Array.from(before.slice(before.lastIndexOf('\n') + 1)).length + 1;
      moved += damaged.length - original.length;
      end = fault.start + original.length;
    }
    writeFileSync(join(copy, file), Buffer.concat([...parts, bytes.subarray(end)]));
  }
}

/**
 * Returns the text at a fault after the edits; nothing if an edit reaches beyond it.
 *
 * @param {Fault} fault
 * @param {Edit[]} edits
 */
export function after(fault, edits) {
  let text = Buffer.from(fault.damaged);
  for (const edit of edits.toSorted((a, b) => b.start - a.start)) {
    const [from, to] = [edit.start - fault.at, edit.end - fault.at];
    if (from < 0 || to > Buffer.byteLength(fault.damaged)) return undefined;
    text = Buffer.concat([text.subarray(0, from), Buffer.from(edit.new), text.subarray(to)]);
  }
  return text.toString();
}
