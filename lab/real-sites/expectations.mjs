// The expected findings of each site: reviewed counts by rule, and explanations of errors.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ways } from './check.mjs';

/**
 * @typedef {import('./check.mjs').Report} Report
 * @typedef {import('./check.mjs').Reports} Reports
 * @typedef {[findings: number, causes: number]} Counts
 * @typedef {Record<string, Record<(typeof ways)[number], Counts> & { why?: string }>} Rules - What is found, by rule.
 * @typedef {{ pages: number, errors: Rules, warnings: Rules }} Expectation
 */

const folder = fileURLToPath(new URL('expected/', import.meta.url));
/** @param {string} site */
const file = (site) => join(folder, `${site}.json`);

/** Maximum number of lines for a site. */
export const mostLines = 200;

const levels = /** @type {const} */ ([
  ['errors', 'error'],
  ['warnings', 'warning'],
]);

/**
 * Findings and causes by rule at a level, as `[findings, causes]`.
 *
 * @param {Report} report
 * @param {'error' | 'warning'} level
 * @returns {Map<string, Counts>}
 */
function tally({ findings }, level) {
  /** @type {Map<string, { findings: number, causes: Set<string> }>} */
  const rules = new Map();
  for (const { rule, severity, cause, message } of findings) {
    if (severity !== level) continue;
    const known = rules.get(rule) ?? { findings: 0, causes: new Set() };
    known.findings += 1;
    known.causes.add(cause ?? message);
    rules.set(rule, known);
  }
  return new Map([...rules].map(([rule, { findings: count, causes }]) => [rule, [count, causes.size]]));
}

/**
 * Converts the findings of a site to an expectation.
 *
 * @param {Reports} reports
 * @returns {Expectation}
 */
export function seen(reports) {
  return { pages: reports.bare.summary.pages, errors: rulesOf(reports, 'error'), warnings: rulesOf(reports, 'warning') };
}

/**
 * Counts the findings at a level by rule.
 *
 * @param {Reports} reports
 * @param {'error' | 'warning'} level
 * @returns {Rules}
 */
function rulesOf(reports, level) {
  const [bare, init] = [tally(reports.bare, level), tally(reports.init, level)];
  const rules = [...new Set([...bare.keys(), ...init.keys()])].toSorted();
  return Object.fromEntries(rules.map((rule) => [rule, { bare: bare.get(rule) ?? [0, 0], init: init.get(rule) ?? [0, 0] }]));
}

/**
 * Whether a site has an expectation.
 *
 * @param {string} site
 */
export const isLookedAt = (site) => existsSync(file(site));

/**
 * Returns the expectation of a site, if there is one.
 *
 * @param {string} site
 * @returns {Expectation}
 */
export const expected = (site) => (isLookedAt(site) ? JSON.parse(readFileSync(file(site), 'utf8')) : { pages: 0, errors: {}, warnings: {} });

const heading = { bare: 'without a contract', init: "with init's contract" };
/** @param {Counts} counts */
const said = ([findings, causes]) => (findings === 0 ? 'nothing' : `${findings} findings of ${causes} causes`);

/**
 * Formats a finding for people.
 *
 * @param {Report} report
 * @param {string} rule
 */
function example({ findings }, rule) {
  const first = findings.find((one) => one.rule === rule);
  if (first === undefined) return [];
  const at = [first.file, first.line, first.column].filter((part) => part !== undefined && part !== null).join(':');
  return [`      such as ${at}: ${first.message}`];
}

/**
 * Returns the differences from the expectation, and errors without an explanation, as lines.
 *
 * @param {string} site
 * @param {Reports} reports
 */
export function differences(site, reports) {
  const [was, is] = [expected(site), seen(reports)];
  const lines = was.pages === is.pages ? [] : [`  ${is.pages} pages, not ${was.pages}`];
  for (const way of ways) {
    if (reports[way].lines > mostLines) lines.push(`  ${heading[way]}: ${reports[way].lines} lines for people, more than ${mostLines}`);
    for (const [level, name] of levels) {
      for (const rule of [...new Set([...Object.keys(was[level]), ...Object.keys(is[level])])].toSorted()) {
        const [before, now] = [said(was[level][rule]?.[way] ?? [0, 0]), said(is[level][rule]?.[way] ?? [0, 0])];
        if (before !== now) lines.push(`  ${heading[way]}, ${name} ${rule}: ${now}, expected ${before}`, ...example(reports[way], rule));
      }
    }
  }
  for (const [rule, { why }] of Object.entries(was.errors)) {
    if (!why && is.errors[rule] !== undefined) lines.push(`  add a reason why ${rule} is right: see ${rule} in ${file(site)}`);
  }
  return lines;
}

/**
 * Writes the findings as the new expectation. Keeps the explanations. Missing ones must be written manually.
 *
 * @param {string} site
 * @param {Reports} reports
 */
export function accept(site, reports) {
  const [was, is] = [expected(site), seen(reports)];
  for (const [rule, counts] of Object.entries(is.errors)) counts.why = was.errors[rule]?.why ?? '';
  mkdirSync(folder, { recursive: true });
  writeFileSync(file(site), text(is));
}

/**
 * Formats one rule per line, for readable diffs.
 *
 * @param {Expectation} expectation
 */
function text({ pages, ...found }) {
  const sections = Object.entries(found).map(([level, rules]) => {
    const lines = Object.entries(rules).map(([rule, counts]) => `\n    ${JSON.stringify(rule)}: ${JSON.stringify(counts)}`);
    return `  ${JSON.stringify(level)}: {${lines.join(',')}${lines.length > 0 ? '\n  ' : ''}}`;
  });
  return `{\n  "pages": ${pages},\n${sections.join(',\n')}\n}\n`;
}
