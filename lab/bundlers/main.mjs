// Builds small sites with each bundler and framework, removes each emitted file in turn, and compares the effect in a
// browser with the findings of sitegate.
//
//   lab/bundlers/run [family[/variant]…] [--fresh] [--write] [--truth] [--json FILE] [--sitegate PATH]
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { chromiumArguments, executablePath } from '../../scripts/chromium.mjs';
import { testedProgram } from '../tested-program.mjs';
import { build, exported, known, read, versions, workshop } from './build.mjs';
import { breaks, count, details, tableOf, write } from './report.mjs';
import { files, truth } from './truth.mjs';
import { verdicts } from './verdict.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fresh: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    truth: { type: 'boolean', default: false },
    json: { type: 'string' },
    sitegate: { type: 'string' },
  },
});

/**
 * @typedef {import('playwright-core').Browser} Browser
 * @typedef {import('./serve.mjs').Site} Site
 * @typedef {import('./truth.mjs').Truth} Truth
 */

/**
 * Returns the ground truth of an export from the browser. It is cached until the export changes or `--truth` is given.
 *
 * @param {Browser} browser
 * @param {Site} site
 * @param {string} kept
 * @returns {Promise<Truth>}
 */
async function walked(browser, site, kept) {
  if (!flags.fresh && !flags.truth && existsSync(kept)) {
    return JSON.parse(readFileSync(kept, 'utf8'));
  }
  const found = await truth(browser, site);
  writeFileSync(kept, JSON.stringify(found));
  return found;
}

/**
 * @param {Browser} browser
 * @param {string} sitegate
 * @param {import('./build.mjs').Family} family
 * @param {import('./build.mjs').Variant} variant
 * @returns {Promise<import('./report.mjs').Result>}
 */
async function measure(browser, sitegate, family, variant) {
  const folder = exported(family.folder, variant.name);
  const site = { folder, mount: variant.mount ?? '/', host: variant.host ?? family.host, fallbacks: family.fallbacks ?? [] };
  const found = await walked(browser, site, `${folder}.truth.json`);
  writeFileSync(`${folder}.breaks.txt`, breaks(found));
  const { intact, missing } = verdicts(sitegate, site, files(folder), join(workshop(family.folder), 'check'));
  const judged = found.files.map((file, at) => ({ ...file, ...(missing[at] ?? { reported: [], warnings: [] }) }));
  return { variant: variant.name, versions: versions(family), ...found, files: judged, falseErrors: intact };
}

const sitegate = testedProgram(flags.sitegate, 'debug');
const browser = await chromium.launch({
  executablePath: await executablePath(),
  args: [...chromiumArguments, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
});
const results = [];
try {
  for (const family of (positionals.length > 0 ? positionals : known()).map(read)) {
    mkdirSync(workshop(family.folder), { recursive: true });
    build(family, flags.fresh);
    for (const variant of family.variants) {
      const start = performance.now();
      const result = await measure(browser, sitegate, family, variant);
      results.push(result);
      console.log(`${details(result)}\n  ${result.steps} steps, ${((performance.now() - start) / 1000).toFixed(0)} s`);
    }
  }
} finally {
  await browser.close();
}
console.log(`\n${tableOf(results)}`);
if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(results, undefined, 1)}\n`);
const bad = results.map(count).some(({ missed, wrong }) => missed + wrong > 0);
if (flags.write && !bad) write(results, known().map(read).flatMap(({ variants }) => variants.map(({ name }) => name)));
process.exitCode = bad ? 1 : 0;
