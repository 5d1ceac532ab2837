// Measures the accuracy of source lines with `[source]`: breaks links, images and anchors at known locations in third-party
// documentation, builds it, and counts the faults that are reported at their line.
//
//   lab/sources/run [project…] [--list] [--faults N] [--seed N] [--again] [--show wrong,missed,…] [--sitegate PATH]
//
// A project is built twice with faults at the same locations: once with a unique name for each fault, and once with shared
// names, as after a page with many links has moved. The second is checked. The first identifies the fault of each finding.
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { spawnSync } from 'node:child_process';
import { run, sitegate as program } from '../../scripts/run.mjs';
import { judge, tally } from './judge.mjs';
import { choose, plant } from './plant.mjs';
import { built, copied, project } from './project.mjs';

/**
 * @typedef {import('./project.mjs').Recipe} Recipe
 * @typedef {import('./plant.mjs').Fault} Fault
 */

const folder = fileURLToPath(new URL('projects/', import.meta.url));
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    faults: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: 'wrong' },
    sitegate: { type: 'string' },
  },
});

/**
 * Injects faults and builds, once with unique and once with shared names. Saves the faults next to the exports.
 *
 * @param {Recipe} recipe
 * @returns {{ chosen: Fault[], apart: string, together: string }}
 */
function make(recipe) {
  const made = project(recipe);
  const [apart, together, notes] = [join(made.home, 'apart'), join(made.home, 'work'), join(made.home, 'planted.json')];
  const kind = `${flags.faults} ${flags.seed}`;
  if (flags.again && existsSync(notes)) {
    const { chosen, ...rest } = JSON.parse(readFileSync(notes, 'utf8'));
    if (rest.kind === kind) return { chosen, apart, together };
  }
  const names = readdirSync(made.app, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const groups = recipe.plant.map((pattern) => names.filter((name) => new RegExp(pattern, 'u').test(name)).toSorted());
  const chosen = choose(made.app, groups, Number(flags.faults), Number(flags.seed));
  for (const which of /** @type {const} */ (['apart', 'together'])) {
    // In the same folder, because exports may contain its path.
    const copy = copied(made, 'work');
    plant(copy, chosen, which);
    const written = built(recipe, copy, made.env);
    if (which === 'together') continue;
    rmSync(apart, { recursive: true, force: true });
    renameSync(written, apart);
  }
  writeFileSync(notes, JSON.stringify({ kind, chosen }));
  return { chosen, apart, together };
}

/**
 * Checks a project, and returns its counts and the findings to show.
 *
 * @param {Recipe} recipe
 * @param {string} sitegate
 */
function measure(recipe, sitegate) {
  const { chosen, apart, together } = make(recipe);
  const contract = join(together, 'sitegate.toml');
  writeFileSync(contract, `[source]\ninclude = ${JSON.stringify(recipe.include)}\n`);
  const report = join(together, 'report.json');
  const args = ['check', recipe.export, '--config', 'sitegate.toml', '--report', `json=${report}`];
  const { status, stderr } = spawnSync(sitegate, args, { cwd: together, encoding: 'utf8' });
  if (status === 2 || status === null) throw new Error(stderr);
  const judged = judge(JSON.parse(readFileSync(report, 'utf8')), [apart, join(together, recipe.export)], chosen);
  const shown = new Set(flags.show.split(','));
  const printed = new Set();
  for (const { truth, finding, verdict } of judged.filter((one) => shown.has(one.verdict))) {
    if (printed.has(`${verdict} ${truth.name}`)) continue;
    printed.add(`${verdict} ${truth.name}`);
    const places = (finding.candidates ?? (finding.source ? [finding.source] : [])).map(({ file, line }) => `${file}:${line}`);
    console.log(`  ${verdict}: ${finding.file}:${finding.line} ${truth.together} is of ${truth.file}:${truth.line}, reported ${places.join(' ') || 'nothing'}`);
  }
  return tally(judged, chosen);
}

const known = readdirSync(folder).map((name) => name.replace('.json', '')).toSorted();
/** @type {Recipe[]} */
const recipes = (positionals.length > 0 ? positionals : known).map((name) => Object.assign(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')), { name }));
if (flags.list) {
  for (const { name, generator } of recipes) console.log(`${name.padEnd(12)} ${generator}`);
} else {
  if (!flags.sitegate) run('cargo', ['build', '--quiet', '--release', '--bin', 'sitegate']);
  const sitegate = resolve(flags.sitegate ?? program('release'));
  /** @type {(string | number)[][]} */
  const rows = [];
  const titles = ['project', 'planted', 'shown', 'certain', 'candidate', 'not the right one', 'not reported', 'wrong and certain', 'findings'];
  for (const recipe of recipes) {
    const counts = measure(recipe, sitegate);
    const order = /** @type {const} */ (['planted', 'shown', 'certain', 'candidate', 'astray', 'missed', 'wrong', 'findings']);
    rows.push([recipe.generator, ...order.map((name) => counts[name])]);
    console.log(`${recipe.name}: ${order.map((name) => `${name} ${counts[name]}`).join(', ')}`);
    if (counts.wrong > 0) process.exitCode = 1;
  }
  const lines = titles.map((_, column) => (column === 0 ? '---' : '---:'));
  console.log(`\n${[titles, lines, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')}`);
}
