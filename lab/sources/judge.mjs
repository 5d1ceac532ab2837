// Compares the reported source lines with the lines of injected faults.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {import('./plant.mjs').Fault} Fault
 * @typedef {import('../../packages/sitegate/report.d.ts').Report} Report
 * @typedef {Report['findings'][number]} Finding
 * @typedef {(typeof verdicts)[number]} Verdict
 * @typedef {{ truth: Fault, finding: Finding, verdict: Verdict }} Judged
 */

/** Verdicts on a fault. If its findings differ, the first one counts. */
const verdicts = /** @type {const} */ (['wrong', 'certain', 'candidate', 'astray', 'missed']);

/**
 * Returns the verdict on a finding whose fault is at `truth`.
 *
 * @param {Finding} finding
 * @param {Fault} truth
 * @returns {Verdict}
 */
function verdictOn({ source, candidates = [] }, truth) {
  /** @param {{ file: string, line: number }} place */
  const isIt = (place) => place.file === truth.file && place.line === truth.line;
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
export function judge(report, [apart, together], chosen) {
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
    const truth = name !== undefined && others.length === 0 ? byName.get(name) : undefined;
    // Ignores findings that differ between the exports in more than names.
    if (truth === undefined) return [];
    const isSame = written.replaceAll(truth.name, truth.shared) === read(together, finding.file, finding.span);
    return isSame ? [{ truth, finding, verdict: verdictOn(finding, truth) }] : [];
  });
}

/**
 * Counts the verdicts on faults. A fault is wrong if any of its findings is. Otherwise its best finding counts.
 *
 * @param {Judged[]} judged
 * @param {Fault[]} chosen
 */
export function tally(judged, chosen) {
  /** @type {Map<Fault, Verdict>} */
  const of = new Map();
  for (const { truth, verdict } of judged) {
    const before = of.get(truth);
    if (before === undefined || verdicts.indexOf(verdict) < verdicts.indexOf(before)) of.set(truth, verdict);
  }
  /** @param {Verdict} verdict */
  const count = (verdict) => [...of.values()].filter((one) => one === verdict).length;
  return {
    planted: chosen.length,
    shown: of.size,
    wrong: count('wrong'),
    certain: count('certain'),
    candidate: count('candidate'),
    astray: count('astray'),
    missed: count('missed'),
    findings: judged.length,
  };
}
