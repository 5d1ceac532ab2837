// Breaks links, images and anchors at known locations in the sources of a project.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A target in a source, and its location.
 *
 * @typedef {{ file: string, start: number, target: string, isPicture: boolean }} Target
 *
 * A selected target: its unique name, its shared name, the text for each, and its line after the injection.
 * @typedef {Target & { name: string, shared: string, apart: string, together: string, line?: number }} Fault
 */

/** Common words, so that shared names also occur in the text. */
const words = 'overview tutorial examples settings security commands packages versions features function template database'.split(' ');

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
 * Returns the targets in a source with their locations.
 *
 * @param {string} file
 * @param {string} text
 */
export function targets(file, text) {
  const found = patterns.find(([name]) => name.test(file))?.[1] ?? [];
  return found.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const [whole, mark, target = ''] = match;
      const isPlain = !/[{}$%*\\|]|^(?:mailto|tel|data|javascript):|_$/u.test(target);
      const start = match.index + whole.lastIndexOf(target);
      return isPlain ? [{ file, start, target, isPicture: Boolean(mark) }] : [];
    }),
  );
}

/**
 * Returns a unique name of eight letters.
 *
 * @param {number} number
 */
const unique = (number) => `gone${[17576, 676, 26, 1].map((base) => String.fromCodePoint(97 + (Math.floor(number / base) % 26))).join('')}`;

/**
 * Returns a broken target with a name. `form` selects the syntax.
 *
 * @param {Target} target
 * @param {number} form
 * @returns {(name: string) => string}
 */
function broken({ target, isPicture }, form) {
  const [address = ''] = target.split(/[#?]/u);
  if (isPicture) return (name) => (/^[\w./-]+\.\w+$/u.test(target) ? target.replace(/[^/]+(?=\.\w+$)/u, name) : `${name}.png`);
  const isOwn = !/^(?:[a-z]+:|\/\/)/iu.test(target);
  if (isOwn && target.includes('#') && (address === '' || form < 0.5)) return (name) => `${address}#${name}`;
  if (isOwn && /[^/.]/u.test(address)) return (name) => target.replace(/[^/#?]+?(?=(?:\.\w+)?\/?(?:[#?]|$))/u, name);
  /** @type {((name: string) => string)[]} */
  const forms = [(name) => `${name}.html`, (name) => `/${name}/`, (name) => `../${name}/`, (name) => `#${name}`, (name) => `/${name}/#${name}`];
  return forms[Math.floor(form * forms.length)] ?? String;
}

/**
 * Selects `count` targets in these files, the same number in each group, including adjacent ones. Breaks each with a unique
 * name and with a shared name.
 *
 * @param {string} folder
 * @param {string[][]} groups
 * @param {number} count
 * @param {number} seed
 * @returns {Fault[]}
 */
export function choose(folder, groups, count, seed) {
  const roll = dice(seed);
  const chosen = groups.flatMap((files) => chosenOf(folder, files, Math.ceil(count / groups.length), roll));
  const shared = [...words, ...Array.from({ length: 4 }, (_, number) => unique(9000 + number))];
  return chosen.map((one, number) => {
    const write = broken(one, roll());
    const own = unique(number);
    const common = roll() < 0.5 ? own : (shared[Math.floor(roll() * shared.length)] ?? own);
    return Object.assign(one, { name: own, shared: common, apart: write(own), together: write(common) });
  });
}

/** @param {Target} target */
const key = ({ file, start }) => `${file}:${start}`;

/**
 * @param {string} folder
 * @param {string[]} files
 * @param {number} count
 * @param {() => number} roll
 */
function chosenOf(folder, files, count, roll) {
  const all = files.flatMap((file) => targets(file, readFileSync(join(folder, file), 'utf8')));
  /** @type {Map<string, Target>} */
  const chosen = new Map();
  while (chosen.size < Math.min(count, all.length)) {
    const first = Math.floor(roll() * all.length);
    // Adjacent targets are more often on one page.
    for (const one of all.slice(first, first + 1 + Math.floor(roll() * 3))) if (chosen.size < count) chosen.set(key(one), one);
  }
  return [...chosen.values()];
}

/**
 * Breaks the selected targets in a folder of sources, with unique names (`apart`) or shared ones (`together`), and records
 * the lines.
 *
 * @param {string} folder
 * @param {Fault[]} chosen
 * @param {'apart' | 'together'} which
 */
export function plant(folder, chosen, which) {
  for (const file of new Set(chosen.map((one) => one.file))) {
    let text = readFileSync(join(folder, file), 'utf8');
    const places = chosen.filter((one) => one.file === file);
    for (const one of places) one.line = text.slice(0, one.start).split('\n').length;
    for (const { start, target, ...one } of places.toSorted((a, b) => b.start - a.start)) text = text.slice(0, start) + one[which] + text.slice(start + target.length);
    writeFileSync(join(folder, file), text);
  }
}
