// Benchmarks `check --watch`: the time from writing a page to the report of new or fixed findings.
import { spawn } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { median } from './measure.mjs';

/** Milliseconds between a report and the next edit, shorter than people need. */
const PAUSE = 300;

/**
 * Copies a site with hard links.
 *
 * @param {string} site
 */
function linked(site) {
  const copy = `${site}-watched`;
  rmSync(copy, { recursive: true, force: true });
  for (const entry of readdirSync(site, { recursive: true, withFileTypes: true }).filter((found) => found.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const target = join(copy, path.slice(site.length));
    mkdirSync(dirname(target), { recursive: true });
    linkSync(path, target);
  }
  return copy;
}

/**
 * Returns the duration of a check from its report, in seconds.
 *
 * @param {string} report
 */
function reportedSeconds(report) {
  const [, number, unit] = /in ([\d.]+) (ms|s)$/m.exec(report) ?? [];
  return Number(number) / (unit === 'ms' ? 1000 : 1);
}

/**
 * Breaks and fixes a link of a page several times, by replacing the file as editors do. Returns seconds until reports, and of
 * the checks alone.
 *
 * @param {string} sitegate
 * @param {string} original
 * @param {string} page
 * @param {number} edits
 */
export async function watched(sitegate, original, page, edits) {
  const site = linked(original);
  const path = join(site, page);
  const good = readFileSync(path, 'latin1');
  const bad = good.replace('</body>', '<a href="no-such-page.html">Next</a></body>');
  const child = spawn(sitegate, ['check', site, '--no-config', '--watch'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  /** @type {Promise<never>} */
  const ended = new Promise((_, reject) => {
    child.once('exit', (code) => reject(new Error(`the watch ended with ${code}`)));
  });
  /** @type {() => Promise<string>} */
  const next = () =>
    new Promise((resolve) => {
      child.stdout.removeAllListeners('data').on('data', (data) => {
        text += data;
        if (/^watching /m.test(text)) {
          resolve(text);
          text = '';
        }
      });
    });
  const answer = () => Promise.race([next(), ended]);
  await answer();
  /** @type {{ answers: number[], checks: number[] }} */
  const { answers, checks } = { answers: [], checks: [] };
  for (let edit = 0; edit < edits; edit += 1) {
    const broken = edit % 2 === 0;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const start = performance.now();
    writeFileSync(`${path}.new`, broken ? bad : good, 'latin1');
    renameSync(`${path}.new`, path);
    const report = await answer();
    answers.push((performance.now() - start) / 1000);
    checks.push(reportedSeconds(report));
    if (!report.includes('no-such-page.html') || report.includes('fixed') === broken) throw new Error(`not the answer to edit ${edit}:\n${report}`);
  }
  child.removeAllListeners('exit').kill();
  rmSync(site, { recursive: true });
  return { median: median(answers), worst: Math.max(...answers), checks: median(checks) };
}
