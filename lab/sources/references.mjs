// Finds references in sources by their syntax, changes them, and rolls dice.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A reference in a source: its target, the offset of the target's first byte, and its line.
 *
 * @typedef {{ file: string, start: number, line: number, target: string, isPicture: boolean }} Reference
 *
 * A planted change: `original` at the byte `start` of the untouched file becomes `damaged`, at the byte `at`.
 * @typedef {{ file: string, start: number, at: number, line: number, column: number, original: string, damaged: string }} Planted
 */

/**
 * Patterns of targets by file extension. The target is the last group. The text before it shows whether it is an image.
 *
 * @type {[files: RegExp, targets: RegExp[]][]}
 */
const patterns = [
  [/\.(?:md|markdown|mdx)$/u, [/(!?)\[[^\][\n]*\]\(<?([^\s()<>]+)/gu, /^()\[[^\]^\n]+\]:[ \t]+<?([^\s<>]+)/gmu, /<(?:a|(img))\b[^<>\n]*?\s(?:href|src)="([^"\n]+)"/gu]],
  [/\.(?:rst|txt|inc)$/u, [/()`[^`<>]*<([^\s<>`]+)>`__?/gu, /^[ \t]*\.\. (image|figure):: ([^\s]+)/gmu, /^()[ \t]*\.\. _[^:\n`]+: +([^\s]+)$/gmu]],
  [/\.py$/u, [/()`[^`<>]*<(https?:[^\s<>`]+)>`__?/gu]],
  [/\.html?$/u, [/<(?:a|(img))\b[^<>\n]*?\s(?:href|src)="([^"\n]+)"/gu]],
];

/**
 * Returns a generator of reproducible random numbers from 0 to below 1.
 *
 * @param {number} seed
 */
export function dice(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns a random element.
 *
 * @template T
 * @param {readonly T[]} list
 * @param {() => number} roll
 */
export const pick = (list, roll) => list[Math.floor(roll() * list.length)];

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

/**
 * Lists the files of a folder that match a pattern.
 *
 * @param {string} folder
 * @param {string[]} wanted
 */
export function filesOf(folder, wanted) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return names.filter((name) => wanted.some((pattern) => new RegExp(pattern, 'u').test(name))).toSorted();
}

/**
 * Returns the references of a source.
 *
 * @param {string} folder
 * @param {string} file
 * @returns {Reference[]}
 */
export function referencesOf(folder, file) {
  const text = readFileSync(join(folder, file), 'utf8');
  const found = patterns.find(([name]) => name.test(file))?.[1] ?? [];
  return found.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const [whole, mark, target = ''] = match;
      if (/[{}$%*\\|]|^(?:mailto|tel|data|javascript):|_$/u.test(target)) return [];
      const before = text.slice(0, match.index + whole.lastIndexOf(target));
      return [{ file, start: Buffer.byteLength(before), line: before.split('\n').length, target, isPicture: Boolean(mark) }];
    }),
  );
}

/**
 * Writes planted changes into a copy, and sets their offsets, lines and columns. Those at the same byte keep their order.
 *
 * @param {string} copy
 * @param {Planted[]} changes
 */
export function plant(copy, changes) {
  for (const [file, inFile] of byFile(changes)) {
    const bytes = readFileSync(join(copy, file));
    /** @type {Buffer[]} */
    const parts = [];
    let [end, moved] = [0, 0];
    for (const change of inFile.toSorted((a, b) => a.start - b.start)) {
      const [original, damaged] = [Buffer.from(change.original), Buffer.from(change.damaged)];
      parts.push(bytes.subarray(end, change.start));
      const before = Buffer.concat(parts).toString();
      parts.push(damaged);
      change.at = change.start + moved;
      change.line = before.split('\n').length;
      change.column = Array.from(before.slice(before.lastIndexOf('\n') + 1)).length + 1;
      moved += damaged.length - original.length;
      end = change.start + original.length;
    }
    writeFileSync(join(copy, file), Buffer.concat([...parts, bytes.subarray(end)]));
  }
}
