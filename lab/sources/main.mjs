// Measures what `sitegate` does with the sources of third-party documentation: see README.md.
//
//   lab/sources/run [locations|fixes|look-alikes|moves|redirects…] [project…] [--list] [--seed N[,N…]] [--faults N] [--moves N]
//     [--batch N] [--again] [--rebuild] [--show wrong,missed,…] [--sitegate PATH]
import { parseArgs } from 'node:util';
import { table } from '../table.mjs';
import { testedProgram } from '../tested-program.mjs';
import * as fixes from './fixes.mjs';
import * as locations from './locations.mjs';
import * as lookAlikes from './lookalikes.mjs';
import * as moves from './moves.mjs';
import { described } from './project.mjs';
import * as redirects from './redirects.mjs';

/**
 * The options of a run.
 *
 * @typedef {object} Lab
 * @property {string} sitegate
 * @property {number} faults
 * @property {number} moves
 * @property {number} batch
 * @property {boolean} again
 * @property {boolean} rebuild
 * @property {(verdict: string) => boolean} isShown
 *
 * @typedef {(string | number)[]} Row
 *
 * The rows of a project, the number of failures, and verdicts by kind of fault.
 * @typedef {{ rows: Row[], failures: number, kinds?: [kind: string, verdict: string][] }} Result
 */

const projects = described('projects');
const measures = {
  locations: { ...locations, projects, second: 'seed' },
  fixes: { ...fixes, projects, second: 'seed' },
  'look-alikes': { ...lookAlikes, projects, second: 'seed' },
  moves: { ...moves, projects, second: 'seed' },
  redirects: { ...redirects, projects: described('versions'), second: 'evidence' },
};
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    faults: { type: 'string' },
    moves: { type: 'string', default: '17' },
    batch: { type: 'string', default: '6' },
    again: { type: 'boolean', default: false },
    rebuild: { type: 'boolean', default: false },
    show: { type: 'string', default: 'wrong' },
    sitegate: { type: 'string' },
  },
});
const names = positionals.filter((name) => !(name in measures));
const wanted = Object.entries(measures).filter(([name]) => positionals.length === names.length || positionals.includes(name));
const unknown = names.filter((name) => !wanted.some(([, measure]) => measure.projects.has(name)));
if (unknown.length > 0) {
  console.error(`there is no measurement or project ${unknown.join(', ')}: --list names them`);
  process.exit(2);
}

/**
 * Measures all projects, and prints the tables.
 *
 * @param {string} name
 * @param {(typeof measures)[keyof typeof measures]} measure
 * @param {string} sitegate
 */
async function report(name, measure, sitegate) {
  const shown = new Set(flags.show.split(','));
  const usualFaults = 'usualFaults' in measure ? measure.usualFaults : 0;
  /** @type {Lab} */
  const lab = {
    sitegate,
    faults: Number(flags.faults ?? usualFaults),
    moves: Number(flags.moves),
    batch: Number(flags.batch),
    again: flags.again,
    rebuild: flags.rebuild,
    isShown: (verdict) => shown.has(verdict),
  };
  /** @type {Row[]} */
  const rows = [];
  /** @type {Map<string, string[]>} */
  const kinds = new Map();
  const usualNames = 'usual' in measure ? Object.keys(measure.usual) : [...measure.projects.keys()];
  for (const recipe of (names.length > 0 ? names : usualNames).flatMap((one) => measure.projects.get(one) ?? [])) {
    for (const seed of measure.second === 'seed' ? flags.seed.split(',').map(Number) : [0]) {
      console.log(`${name}: ${recipe.name}`);
      /** @type {Result} */
      const result = await measure.measure(lab, recipe, seed);
      rows.push(...result.rows);
      for (const [kind, verdict] of result.kinds ?? []) kinds.set(kind, [...(kinds.get(kind) ?? []), verdict]);
      if (result.failures > 0) process.exitCode = 1;
    }
  }
  if (rows.length === 0) return;
  console.log(`\n## ${name}\n\n${table(['project', measure.second, ...measure.titles], rows)}`);
  if (!('kindTitles' in measure)) return;
  const body = [...kinds].map(([kind, given]) => measure.kindTitles.map((verdict, column) => (column === 0 ? kind : given.filter((one) => one === verdict).length)));
  console.log(`\n${table(measure.kindTitles, body)}`);
}

if (flags.list) {
  for (const [name, measure] of wanted) for (const recipe of measure.projects.values()) console.log(`${name.padEnd(12)} ${recipe.name.padEnd(14)} ${recipe.generator ?? `${recipe.before} to ${recipe.after}`}`);
} else {
  const sitegate = testedProgram(flags.sitegate, 'release');
  for (const [name, measure] of wanted) await report(name, measure, sitegate);
}
