// Holds what is told of sources to where the faults were planted.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What can be said of a fault; what comes first counts, where its findings differ. */
const verdicts = ['wrong', 'certain', 'candidate', 'astray', 'missed'];

/** How one finding was told, whose fault is at `truth`. */
function told({ source, candidates = [] }, truth) {
  const isIt = (place) => place.file === truth.file && place.line === truth.line;
  if (!source) return 'missed';
  if (source.certain) return isIt(source) ? 'certain' : 'wrong';
  return candidates.some(isIt) ? 'candidate' : 'astray';
}

/**
 * The findings that are about a fault, with how each was told. The same place of the other export, which has a name for each fault, says which
 * fault it is.
 */
export function judge(report, [apart, together], chosen) {
  const byName = new Map(chosen.map((one) => [one.name, one]));
  const texts = new Map();
  const read = (folder, file, { start, end }) => {
    const path = join(folder, file);
    if (!texts.has(path)) texts.set(path, existsSync(path) ? readFileSync(path) : Buffer.alloc(0));
    return texts.get(path).subarray(start, end).toString();
  };
  return report.diagnostics.flatMap((finding) => {
    if (!finding.file || !finding.span) return [];
    const written = read(apart, finding.file, finding.span);
    const names = [...new Set(written.match(/gone[a-z]{4}/gu))];
    const truth = names.length === 1 ? byName.get(names[0]) : undefined;
    // What is not the same on both but for the names says nothing.
    const isSame = truth && written.replaceAll(truth.name, truth.shared) === read(together, finding.file, finding.span);
    return isSame ? [{ truth, finding, told: told(finding, truth) }] : [];
  });
}

/** Counts of faults: one is wrong where any of its findings is, and else told as well as the one that tells most. */
export function tally(judged, chosen) {
  const of = new Map();
  for (const { truth, told: verdict } of judged) {
    const before = of.get(truth);
    if (before === undefined || verdicts.indexOf(verdict) < verdicts.indexOf(before)) of.set(truth, verdict);
  }
  const counts = { planted: chosen.length, shown: of.size };
  for (const verdict of verdicts) counts[verdict] = [...of.values()].filter((one) => one === verdict).length;
  counts.findings = judged.length;
  counts.wrongFindings = judged.filter((one) => one.told === 'wrong').length;
  return counts;
}
