// Compares the findings and warnings before and after moves.

/**
 * @typedef {import('./project.mjs').Report} Report
 * @typedef {import('./project.mjs').Finding} Finding
 *
 * A build: the report, and the number of each warning of the generator.
 * @typedef {{ report: Report, warnings: Map<string, number> }} Build
 *
 * @typedef {{ from: string, to: string }} Move
 */

/**
 * Groups the findings by their causes. Moved pages have one name before and after. A cause in a page that moved is that of
 * its rule, since relative references change.
 *
 * @param {Report} report
 * @param {Set<string>} moved
 * @param {[RegExp, string][]} names
 */
function causes(report, moved, names) {
  /** @type {Map<string, Finding[]>} */
  const found = new Map();
  // mdBook's print.html repeats all other pages.
  for (const finding of report.findings.filter(({ file }) => file !== 'print.html')) {
    const cause = names.reduce((text, [pattern, name]) => text.replace(pattern, name), finding.cause);
    const name = moved.has(finding.file) ? `${finding.rule} in moved pages` : `${finding.rule}: ${cause}`;
    found.set(name, [...(found.get(name) ?? []), finding]);
  }
  return found;
}

/** Returns warnings with the names of moved pages replaced. */
const named = (/** @type {Map<string, number>} */ warnings, /** @type {[RegExp, string][]} */ pairs) => {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const [text, count] of warnings) {
    const name = text.split(/(?<=[\s`'"(])|(?=[\s`'")])/u).map((word) => pairs.reduce((short, [pattern, other]) => short.replace(pattern, other), word)).join('');
    found.set(name, (found.get(name) ?? 0) + count);
  }
  return found;
};

/**
 * Matches the path of a page, whole: from the root of the site or of the sources, or relative.
 *
 * @param {string} name
 * @param {{ base: string, root: string }} site
 */
function pathPattern(name, site) {
  const [page, base, root] = [name, site.base, site.root].map((text) => text.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&'));
  const before = `(?:^|[\\s\`'"(=])(?:(?:https?://[^/\\s]+)?${base}|(?:\\.{0,2}/)*(?:${root})?)`;
  return new RegExp(`(?<=${before})${page}(?=\\.(?:html|md|rst|txt)|\\/?(?:[#?]|index\\.html|$))`, 'iu');
}

/**
 * Counts what is new or lost after moves.
 *
 * @param {{ findings: number, addresses: number, anchors: number, warnings: number }} counts
 * @param {{ moves: Move[], base: string, root: string }} moved
 * @param {Build} before
 * @param {Build} after
 */
export function compare(counts, { moves, base, root }, before, after) {
  const names = moves.map(({ from, to }) => [from, to].map((path) => path.slice(root.length).replace(/\.\w+$/u, '').toLowerCase()));
  const isMoved = (/** @type {string} */ file, /** @type {number} */ side) => names.some((pair) => file.toLowerCase().replace(/(?:\/index)?\.html$/u, '') === pair[side]);
  const files = (/** @type {Report} */ report, /** @type {number} */ side) => new Set(report.findings.map(({ file }) => file).filter((file) => isMoved(file, side)));
  const patterns = [0, 1].map((side) => names.map((pair, number) => /** @type {[RegExp, string]} */ ([pathPattern(pair[side] ?? '', { base, root }), `moved ${number}`])));
  const known = causes(before.report, files(before.report, 0), patterns[0] ?? []);
  const movedSummary = moves.map(({ from, to }) => `${from} → ${to}`).join(', ');
  let isShown = false;
  const show = (/** @type {string} */ text) => {
    if (!isShown) console.log(`  after ${movedSummary}:`);
    isShown = true;
    console.log(`    ${text}`);
  };
  for (const [cause, findings] of causes(after.report, files(after.report, 1), patterns[1] ?? [])) {
    const isOfPages = cause.endsWith(' in moved pages');
    const earlier = known.get(cause)?.length ?? 0;
    if (isOfPages ? findings.length <= earlier : earlier > 0) continue;
    const [example] = findings;
    if (example?.rule === 'lost-url') counts.addresses += findings.length;
    else if (example?.rule === 'lost-anchor') counts.anchors += findings.length;
    else counts.findings += isOfPages ? findings.length - earlier : findings.length;
    show(`new: ${cause} (${findings.length}, before ${earlier}): ${example?.file}:${example?.line} ${example?.message}; ${example?.source?.file}:${example?.source?.line}`);
  }
  const earlierWarnings = named(before.warnings, patterns[0] ?? []);
  for (const [warning, count] of named(after.warnings, patterns[1] ?? [])) {
    const fresh = count - (earlierWarnings.get(warning) ?? 0);
    if (fresh <= 0) continue;
    counts.warnings += fresh;
    show(`warning: ${warning}`);
  }
}
