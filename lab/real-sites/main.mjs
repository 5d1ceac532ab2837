// Checks third-party sites, without a contract and with the one that `init` writes, and compares with reviewed findings.
//
//   lab/real-sites/run [site…] [--list] [--make] [--fresh] [--write] [--sitegate PATH]
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { testedProgram } from '../tested-program.mjs';
import { checks } from './check.mjs';
import { accept, differences } from './expectations.mjs';
import { exported, make, notes } from './make.mjs';
import { write } from './page.mjs';
import { known, recipe } from './recipes.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    make: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    sitegate: { type: 'string' },
  },
});

/**
 * Makes and checks a site, and returns the differences from the expectation.
 *
 * @param {import('./recipes.mjs').Recipe} one
 * @param {string} sitegate
 */
function test(one, sitegate) {
  const start = performance.now();
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(0)} s`;
  if (make(one, flags.fresh)) console.log(`${one.site}: made in ${seconds()}`);
  if (flags.make) return [];
  mkdirSync(notes(one.site), { recursive: true });
  const reports = checks(sitegate, exported(one.site), notes(one.site));
  if (flags.write) accept(one.site, reports);
  const lines = differences(one.site, reports);
  if (lines.length === 0) console.log(`${one.site}: as expected, ${reports.bare.summary.pages} pages, ${seconds()}`);
  return lines;
}

const recipes = (positionals.length > 0 ? positionals : known()).map(recipe);
const failed = [];
if (flags.list) {
  for (const { site, generator } of recipes) console.log(`${site.padEnd(24)} ${generator}`);
} else {
  const sitegate = flags.make ? '' : testedProgram(flags.sitegate, 'release');
  for (const one of recipes) {
    let lines;
    try {
      lines = test(one, sitegate);
    } catch (error) {
      lines = [`  ${String(error instanceof Error ? error.message : error).replaceAll('\n', '\n  ')}`];
    }
    if (lines.length === 0) continue;
    failed.push(one.site);
    console.log([`${one.site}: not as expected`, ...lines].join('\n'));
  }
  if (flags.write) write();
  console.log(failed.length === 0 ? `\n${recipes.length} sites as expected` : `\n${failed.length} of ${recipes.length} sites not as expected: ${failed.join(' ')}`);
}
process.exitCode = failed.length > 0 ? 1 : 0;
