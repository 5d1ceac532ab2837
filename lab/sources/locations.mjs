// Measures the accuracy of source lines: breaks references at known locations, and counts the faults reported at their line.
//
// A project is built twice with faults at the same locations: once with a unique name for each fault, and once with shared
// names, as after a page with many links has moved. The second is checked. The first identifies the fault of each finding.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { built, check, project, restored } from './project.mjs';
import { dice, filesOf, plant, referencesOf } from './references.mjs';

/**
 * @typedef {import('./project.mjs').Recipe} Recipe
 * @typedef {import('./project.mjs').Report} Report
 * @typedef {import('./project.mjs').Finding} Finding
 * @typedef {import('./references.mjs').Reference} Reference
 * @typedef {(typeof verdicts)[number]} Verdict
 * @typedef {{ fault: Fault, finding: Finding, verdict: Verdict }} Judged
 *
 * A selected reference: its unique name, its shared name, and the text for each.
 * @typedef {Reference & { name: string, shared: string, apart: string, together: string }} Fault
 */

/** Verdicts on a fault. If its findings differ, the first one counts. */
const verdicts = /** @type {const} */ (['wrong', 'certain', 'candidate', 'astray', 'missed']);

/** Common words, so that shared names also occur in the text. */
const words = 'overview tutorial examples settings security commands packages versions features function template database'.split(' ');

export const titles = ['planted', 'shown', 'certain', 'candidate', 'not the right one', 'not reported', 'wrong and certain', 'findings'];
export const usualFaults = 60;

/**
 * Breaks references of a project, builds it, and judges the reported lines.
 *
 * @param {import('./main.mjs').Lab} lab
 * @param {Recipe} recipe
 * @param {number} seed
 */
export function measure({ sitegate, faults, again, isShown }, recipe, seed) {
  const chosen = choose(project(recipe).app, recipe, faults, seed);
  const [apart, together] = /** @type {const} */ (['apart', 'together']).map((which) =>
    built(recipe, `locations-${seed}-${faults}-${which}`, again, (copy) => {
      plant(copy, chosen.map(({ file, start, line, target, [which]: damaged }) => ({ file, start, line, original: target, damaged, at: 0, column: 0 })));
    }),
  );
  const work = restored(together ?? '');
  const judged = judge(check(sitegate, recipe, work), [join(apart ?? '', recipe.export), join(work, recipe.export)], chosen);
  show(judged.filter((one) => isShown(one.verdict)));
  const of = tally(judged);
  const [wrong = 0, ...others] = verdicts.map((verdict) => of.filter((one) => one === verdict).length);
  return { rows: [[recipe.generator, seed, chosen.length, of.length, ...others, wrong, judged.length]], failures: wrong };
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
 * @param {Reference} reference
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
 * Selects `count` references, the same number in the files of each pattern, including adjacent ones. Breaks each with a
 * unique name and with a shared name.
 *
 * @param {string} folder
 * @param {Recipe} recipe
 * @param {number} count
 * @param {number} seed
 * @returns {Fault[]}
 */
function choose(folder, { plant: patterns, needsImages = false }, count, seed) {
  const roll = dice(seed);
  const chosen = patterns.flatMap((pattern) => {
    const all = filesOf(folder, [pattern]).flatMap((file) => referencesOf(folder, file));
    return chosenOf(all.filter(({ isPicture }) => !isPicture || !needsImages), Math.ceil(count / patterns.length), roll);
  });
  const shared = [...words, ...Array.from({ length: 4 }, (_, number) => unique(9000 + number))];
  return chosen.map((one, number) => {
    const write = broken(one, roll());
    const own = unique(number);
    const common = roll() < 0.5 ? own : (shared[Math.floor(roll() * shared.length)] ?? own);
    return Object.assign(one, { name: own, shared: common, apart: write(own), together: write(common) });
  });
}

/**
 * @param {Reference[]} all
 * @param {number} count
 * @param {() => number} roll
 */
function chosenOf(all, count, roll) {
  /** @type {Set<Reference>} */
  const chosen = new Set();
  /** @type {Map<string, Reference>} */
  const places = new Map(all.map((one) => [`${one.file}:${one.start}`, one]));
  while (chosen.size < Math.min(count, places.size)) {
    const first = Math.floor(roll() * all.length);
    // Adjacent references are more often on one page.
    for (const { file, start } of all.slice(first, first + 1 + Math.floor(roll() * 3))) {
      const one = places.get(`${file}:${start}`);
      if (one && chosen.size < count) chosen.add(one);
    }
  }
  return [...chosen];
}

/**
 * Returns the verdict on a finding of a fault.
 *
 * @param {Finding} finding
 * @param {Fault} fault
 * @returns {Verdict}
 */
function verdictOn({ source, candidates = [] }, fault) {
  /** @param {{ file: string, line: number }} place */
  const isIt = (place) => place.file === fault.file && place.line === fault.line;
  if (!source) return 'missed';
  if (source.certain) return isIt(source) ? 'certain' : 'wrong';
  return candidates?.some(isIt) ? 'candidate' : 'astray';
}

/**
 * Returns the findings of faults with their verdicts. The same location in the other export, which has a unique name for each
 * fault, identifies the fault.
 *
 * @param {Report} report
 * @param {[apart: string, together: string]} exports
 * @param {Fault[]} chosen
 * @returns {Judged[]}
 */
function judge(report, [apart, together], chosen) {
  const byName = new Map(chosen.map((one) => [one.name, one]));
  /** @type {Map<string, Buffer>} */
  const texts = new Map();
  /**
   * @param {string} folder
   * @param {string} file
   * @param {{ start: number, end: number }} span
   */
  const read = (folder, file, { start, end }) => {
    const path = join(folder, file);
    const text = texts.get(path) ?? (existsSync(path) ? readFileSync(path) : Buffer.alloc(0));
    texts.set(path, text);
    return text.subarray(start, end).toString();
  };
  return report.findings.flatMap((finding) => {
    if (!finding.file || !finding.span) return [];
    const written = read(apart, finding.file, finding.span);
    const [name, ...others] = new Set(written.match(/gone[a-z]{4}/gu));
    const fault = name !== undefined && others.length === 0 ? byName.get(name) : undefined;
    // Ignores findings that differ between the exports in more than names.
    if (fault === undefined) return [];
    const isSame = written.replaceAll(fault.name, fault.shared) === read(together, finding.file, finding.span);
    return isSame ? [{ fault, finding, verdict: verdictOn(finding, fault) }] : [];
  });
}

/**
 * Returns a verdict for each fault. A fault is wrong if any of its findings is. Otherwise its best finding counts.
 *
 * @param {Judged[]} judged
 */
function tally(judged) {
  /** @type {Map<Fault, Verdict>} */
  const of = new Map();
  for (const { fault, verdict } of judged) {
    const before = of.get(fault);
    if (before === undefined || verdicts.indexOf(verdict) < verdicts.indexOf(before)) of.set(fault, verdict);
  }
  return [...of.values()];
}

/**
 * Prints each fault once for each of its verdicts.
 *
 * @param {Judged[]} judged
 */
function show(judged) {
  const unlike = new Map(judged.map((one) => [`${one.verdict} ${one.fault.name}`, one]));
  for (const { fault, finding, verdict } of unlike.values()) {
    const places = (finding.candidates ?? (finding.source ? [finding.source] : [])).map(({ file, line }) => `${file}:${line}`);
    console.log(`  ${verdict}: ${finding.file}:${finding.line} ${fault.together} is of ${fault.file}:${fault.line}, reported ${places.join(' ') || 'nothing'}`);
  }
}
