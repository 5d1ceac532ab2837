// Measures every page with Lighthouse, as mobile and as desktop, several times, and prints the medians as a table.
//
//   npm run lighthouse [-- RUNS] [PATH …]     default: five runs of every page; run npm run build first
//
// Lighthouse is not a dependency, because it takes 176 MB: npx fetches it if necessary. Scores are meaningful only on an
// idle machine.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { chromiumArguments, executablePath } from './chromium.mjs';
import { namedPages } from './paths.mjs';
import { sitegate } from './run.mjs';
import { needExport, serve } from './serve.mjs';

/**
 * The result of one run: scores from 0 to 100, metrics, failed audits, and the speed of this machine.
 *
 * @typedef {{ scores: number[], metrics: number[], failed: string[], speed: number }} Result
 *
 * The fields of Lighthouse's report that are used.
 *
 * @typedef {object} Report
 * @property {Record<string, { score: number, auditRefs: { id: string, weight: number }[] }>} categories
 * @property {Record<string, { score: number | null, numericValue: number }>} audits
 * @property {{ benchmarkIndex: number }} environment
 */

const version = '13.5.0';
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
const metrics = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
  SI: 'speed-index',
};

/**
 * @param {number[]} values
 * @returns {number}
 */
const median = (values) => values.toSorted((a, b) => a - b).at(Math.floor(values.length / 2)) ?? NaN;

/**
 * Runs Lighthouse once. Repeats the run if Lighthouse requests it, because a trace was lost, or if the browser did not answer.
 *
 * @param {string} url
 * @param {string} form
 * @param {number} tries
 * @returns {Promise<Result>}
 */
async function measure(url, form, tries = 3) {
  const flags = [
    `--chrome-flags=--headless=new ${chromiumArguments.join(' ')}`,
    '--output=json',
    '--quiet',
    ...(form === 'desktop' ? ['--preset=desktop'] : []),
    // The page for unknown paths has the status 404.
    '--ignore-status-code',
  ];
  const options = { env: { ...process.env, CHROME_PATH: await executablePath() }, maxBuffer: 2 ** 27, shell: process.platform === 'win32' };
  let stdout;
  try {
    ({ stdout } = await promisify(execFile)('npx', ['--yes', `lighthouse@${version}`, url, ...flags], options));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    Object.assign(error, { stdout: '' }); // the whole report, which adds nothing to the message
    if (tries === 1 || !('stderr' in error) || !/Please run Lighthouse again|Protocol error/.test(`${error.stderr}`)) throw error;
    return measure(url, form, tries - 1);
  }
  /** @type {Report} */
  const report = JSON.parse(stdout);
  /** @param {string} id */
  const audit = (id) => report.audits[id] ?? { score: null, numericValue: NaN };
  const failed = categories.flatMap((category) =>
    (report.categories[category]?.auditRefs ?? []).filter(({ id, weight }) => weight > 0 && (audit(id).score ?? 1) < 0.9).map(({ id }) => id),
  );
  return {
    scores: categories.map((category) => Math.round((report.categories[category]?.score ?? NaN) * 100)),
    metrics: Object.values(metrics).map((id) => audit(id).numericValue),
    failed,
    speed: report.environment.benchmarkIndex,
  };
}

/**
 * @param {string | undefined} name
 * @param {number} value
 */
const shown = (name, value) => (name === 'CLS' ? value.toFixed(3) : `${Math.round(value)}`);

const args = process.argv.slice(2);
const runs = /^[1-9]\d*$/.test(args[0] ?? '') ? Number(args.shift()) : 5;
const pages = namedPages(args, 'npm run lighthouse [-- RUNS] [PATH …]');
await needExport();
const heads = ['page', 'as', ...categories, ...Object.keys(metrics).map((name) => (name === 'CLS' ? name : `${name}, ms`))];
console.log(`Medians of ${runs}, Lighthouse ${version}\n\n| ${heads.join(' | ')} |\n| --- | --- |${' --: |'.repeat(heads.length - 2)}`);
const { origin, close } = await serve(process.env['SITEGATE'] ?? sitegate('debug'));
/** @type {Map<string, Set<string>>} */
const failed = new Map();
const speeds = [];
try {
  for (const path of pages) {
    for (const form of ['phone', 'desktop']) {
      /** @type {Result[]} */
      const results = [];
      for (let run = 0; run < runs; run += 1) results.push(await measure(origin + path, form));
      /** @param {(result: Result) => number[]} of */
      const column = (of) => results.slice(0, 1).flatMap(of).map((_, index) => median(results.map((result) => of(result)[index] ?? NaN)));
      const values = column((result) => result.metrics).map((value, index) => shown(Object.keys(metrics)[index], value));
      console.log(`| ${[path, form, ...column((result) => result.scores), ...values].join(' | ')} |`);
      speeds.push(...results.map((result) => result.speed));
      for (const id of results.flatMap((result) => result.failed)) failed.set(id, (failed.get(id) ?? new Set()).add(`${path} as ${form}`));
    }
  }
} finally {
  close();
}
console.log(`\nLighthouse's benchmark of this machine during the runs: ${median(speeds)} (${Math.min(...speeds)} to ${Math.max(...speeds)})`);
for (const [id, where] of failed) console.log(`\n${id}: ${[...where].join(', ')}`);
