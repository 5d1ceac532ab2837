// Damages references: faults that have a known answer, and faults that have none.
import { dice, filesOf, pick, referencesOf } from './references.mjs';

/**
 * @typedef {import('./project.mjs').Recipe} Recipe
 * @typedef {import('./project.mjs').Report} Report
 * @typedef {import('./project.mjs').Finding} Finding
 *
 * A damaged reference.
 * @typedef {import('./references.mjs').Planted & { kind: string }} Fault
 *
 * A way to damage a reference. Returns the damaged reference; nothing if this one cannot be damaged in this way.
 *
 * @typedef {(target: string, roll: () => number) => string | undefined} Damage
 */

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** The share of faults without an answer. */
const UNANSWERABLE = 0.2;

/**
 * Makes one typo in a word: a letter too many, too few, another one, or two that are swapped.
 *
 * @param {string} word
 * @param {() => number} roll
 */
function typo(word, roll) {
  const at = Math.floor(roll() * word.length);
  const letter = letters[Math.floor(roll() * letters.length)] ?? 'x';
  const swapped = word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2);
  return pick([word.slice(0, at) + word.slice(at + 1), word.slice(0, at) + letter + word.slice(at), word.slice(0, at) + letter + word.slice(at + 1), swapped], roll);
}

/** Splits a reference into its path and the rest. @param {string} target */
const split = (target) => /** @type {[string, string]} */ ([target.replace(/[?#].*$/u, ''), target.match(/[?#].*$/u)?.[0] ?? '']);

/** @param {string} target */
const isOwn = (target) => !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/iu.test(target);

/**
 * Replaces one word of at least five letters in a text.
 *
 * @param {string} text
 * @param {() => number} roll
 * @param {(word: string) => string | undefined} change
 */
function inWord(text, roll, change) {
  const words = [...text.matchAll(/[A-Za-z]{5,}/gu)];
  const word = pick(words, roll);
  const changed = word && change(word[0]);
  return word && changed !== undefined && changed !== word[0] ? text.slice(0, word.index) + changed + text.slice(word.index + word[0].length) : undefined;
}

/**
 * Applies a change to the path of an own reference, without its extension.
 *
 * @param {string} target
 * @param {(stem: string) => string | undefined} change
 */
function inPath(target, change) {
  const [path, end] = split(target);
  // A name without a slash or an extension may be a label, not a path.
  if (!isOwn(target) || !/\/|\.(?:md|rst|html|png|svg|jpe?g|gif|pdf|txt)$/u.test(path)) return undefined;
  const extension = path.match(/\.\w+$/u)?.[0] ?? '';
  const changed = change(path.slice(0, path.length - extension.length));
  return changed === undefined ? undefined : changed + extension + end;
}

/** Faults whose answer is the original. @type {Record<string, Damage>} */
export const answerable = {
  'typo in the path': (target, roll) => inPath(target, (stem) => inWord(stem, roll, (word) => typo(word, roll))),
  'typo in the fragment': (target, roll) => {
    const fragment = isOwn(target) ? target.indexOf('#') + 1 : 0;
    const changed = fragment > 0 ? inWord(target.slice(fragment), roll, (word) => typo(word, roll)) : undefined;
    return changed === undefined ? undefined : target.slice(0, fragment) + changed;
  },
  'letter case': (target, roll) => inPath(target, (stem) => inWord(stem, roll, (word) => (word[0] === word[0]?.toUpperCase() ? (word[0] ?? '').toLowerCase() : (word[0] ?? '').toUpperCase()) + word.slice(1))),
  'relative depth': (target, roll) => {
    const [path] = split(target);
    if (inPath(target, String) === undefined || path.startsWith('/')) return undefined;
    if (path.startsWith('../') && roll() < 0.5) return target.slice(3);
    return `../${target}`;
  },
  'slash after a file': (target) => {
    const [path, end] = split(target);
    return isOwn(target) && /\.(?:html|png|svg|jpe?g|gif|pdf)$/u.test(path) ? `${path}/${end}` : undefined;
  },
  'repeated slash': (target) => {
    const [path, end] = split(target);
    const at = path.search(/[a-z]\/[a-z]/u);
    return isOwn(target) && at > 0 ? `${path.slice(0, at + 1)}/${path.slice(at + 1)}${end}` : undefined;
  },
  'backslash': (target) => {
    const [path, end] = split(target);
    const at = path.search(/[a-z]\/[a-z]/u);
    return isOwn(target) && at > 0 ? `${path.slice(0, at + 1)}\\${path.slice(at + 2)}${end}` : undefined;
  },
  'scheme': (target, roll) => (target.startsWith('https://') ? (pick(['htps://', 'https//', 'https:/', 'htpps://'], roll) ?? '') + target.slice(8) : undefined),
};

/** Faults without an answer: every edit of them is wrong, unless it restores the original. @type {Record<string, Damage>} */
export const unanswerable = {
  'unknown name': (target, roll) => {
    const name = `gone${Array.from({ length: 6 }, () => pick([...letters], roll)).join('')}`;
    return inPath(target, (stem) => (/[^/.]/u.test(stem) ? stem.replace(/[^/]+$/u, name) : undefined));
  },
  'unknown fragment': (target, roll) => (isOwn(target) && target.includes('#') ? `${split(target)[0]}#gone${Array.from({ length: 6 }, () => pick([...letters], roll)).join('')}` : undefined),
  'another digit': (target) => {
    const [path, end] = split(target);
    return isOwn(target) && /\d/u.test(path) ? path.replace(/\d/u, (digit) => String((Number(digit) + 1) % 10)) + end : undefined;
  },
};

/** The places of a finding in the sources. @param {Finding} finding */
export const places = ({ source, candidates = [] }) => (source?.certain ? [source] : candidates);

/**
 * Selects references that work, and damages them.
 *
 * @param {Recipe} recipe
 * @param {string} app
 * @param {Report} intact
 * @param {{ count: number, seed: number }} options
 * @returns {Fault[]}
 */
export function choose(recipe, app, intact, { count, seed }) {
  const roll = dice(seed);
  const broken = new Set(intact.findings.flatMap((finding) => places(finding).map(({ file, line }) => `${file}:${line}`)));
  const all = filesOf(app, recipe.plant).flatMap((file) => referencesOf(app, file).filter(({ line }) => !broken.has(`${file}:${line}`)));
  /** @type {Map<string, Fault>} */
  const chosen = new Map();
  for (let tries = 0; tries < 4 * count && chosen.size < count; tries += 1) {
    // First the kind, so that no kind is rare because few references can be damaged in its way.
    const kinds = Object.entries(roll() < UNANSWERABLE ? unanswerable : answerable);
    const [kind, damage] = kinds[Math.floor(roll() * kinds.length)] ?? ['', () => undefined];
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const one = pick(all, roll);
      const damaged = one && damage(one.target, roll);
      const place = `${one?.file}:${one?.start}`;
      if (one === undefined || damaged === undefined || damaged === one.target || chosen.has(place)) continue;
      chosen.set(place, { file: one.file, start: one.start, at: one.start, line: one.line, column: 0, kind, original: one.target, damaged });
      break;
    }
  }
  return [...chosen.values()];
}
