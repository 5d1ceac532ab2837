// Measures `sitegate mv`: moves random pages, builds the project, and compares the site with the one before.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { serve } from '../../scripts/serve.mjs';
import { compare } from './compare.mjs';
import { lookAlikesOf, renderedLinks } from './lookalikes.mjs';
import { check, checkWithContract, copied, project, restored, sourcesOf } from './project.mjs';
import { dice, filesOf, pick, plant, referencesOf } from './references.mjs';

/**
 * @typedef {import('./project.mjs').Recipe} Recipe
 * @typedef {import('./compare.mjs').Build} Build
 * @typedef {import('./compare.mjs').Move} Move
 */

/** One project of each generator, and the folder of its pages. @type {Record<string, string>} */
export const usual = { flask: 'docs/', attrs: 'docs/', hatch: 'docs/', pyo3: 'guide/src/', 'hugo-content': 'docs/content/en/', fastify: 'docs/' };
/** Docstrings are read from the sources instead of the installed package. @type {Record<string, Partial<Recipe>>} */
const adapted = { flask: { env: { PYTHONPATH: 'src' }, include: ['docs/**', 'CHANGES.rst', 'src/**'] }, attrs: { env: { PYTHONPATH: 'src' } } };
export const titles = ['moved', 'refused', 'references', 'redirects', 'notes', 'new findings', 'lost addresses', 'lost anchors', 'new warnings', 'addresses requested', 'not answered', 'look-alikes', 'edited'];
export const usualFaults = 100;

/**
 * Runs a program, and returns its output and exit code.
 *
 * @param {string[]} command
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env]
 */
function output([name = '', ...args], cwd, env = {}) {
  const { status, stdout, stderr, error } = spawnSync(name, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, ...env } });
  if (error) throw error;
  return { status, stdout, stderr };
}

/**
 * Builds a project in its folder. Returns the generator's warnings without their places.
 *
 * @param {Recipe} recipe
 * @param {string} home
 * @param {NodeJS.ProcessEnv} env
 */
function build(recipe, home, env) {
  const site = join(home, recipe.export);
  // Sphinx does not read sources again that have not changed; all else is written again.
  for (const name of existsSync(site) ? readdirSync(site) : []) if (name !== '.doctrees') rmSync(join(site, name), { recursive: true });
  /** @type {Map<string, number>} */
  const warnings = new Map();
  for (const command of recipe.build) {
    const { status, stdout, stderr } = output(command, home, { ...env, NO_COLOR: '1' });
    if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}\n${stdout.slice(-2000)}${stderr.slice(-4000)}`);
    for (const line of `${stdout}${stderr}`.split('\n').filter((one) => /warn|not found|REF_NOT/iu.test(one))) {
      let text = line.replace(/^\S+:\d+:\s*/u, '').replace(/^\S*:(?= WARNING)/u, '').replace(/^[\d: -]+/u, '');
      // One path of each file.
      while (/[^/\s`'"]+\/\.\.\//u.test(text)) text = text.replace(/(?!\.\.\/)[^/\s`'"]+\/\.\.\//u, '');
      warnings.set(text, (warnings.get(text) ?? 0) + 1);
    }
  }
  return warnings;
}

/**
 * Copies a project with its first build into the folder of all builds. References to pages have look-alikes.
 *
 * @param {string} sitegate
 * @param {Recipe} recipe
 * @param {number} count - The number of references with look-alikes.
 */
function prepare(sitegate, recipe, count) {
  const made = project(recipe);
  const [start, work] = [join(made.home, `moves-${count}`), join(made.home, 'work')];
  if (!existsSync(start)) {
    let lookAlikes = chosenLookAlikes(recipe, made.app, count);
    for (let links = new Set([0]); links.size > 0; ) {
      copied(made);
      plant(work, lookAlikes);
      if (recipe.name === 'hugo-content') {
        // Hugo's templates generate `_redirects`, so that no line can be added.
        const file = join(work, 'docs/hugo.toml');
        writeFileSync(file, readFileSync(file, 'utf8').replace('"REDIR", ', '').replace('disableAliases = true', ''));
      }
      build(recipe, work, made.env);
      // Those that the generator makes links must be changed; so they are not planted.
      links = renderedLinks(join(work, recipe.export));
      lookAlikes = lookAlikes.filter(({ number }) => !links.has(number));
    }
    writeFileSync(join(work, 'look-alikes.json'), JSON.stringify(lookAlikes));
    // Again, so that the warnings are those of a build with a cache, as later ones.
    writeFileSync(join(work, 'warnings.json'), JSON.stringify([...build(recipe, work, made.env)]));
    renameSync(work, start);
  }
  restored(start);
  const warnings = new Map(JSON.parse(readFileSync(join(work, 'warnings.json'), 'utf8')));
  /** @type {import('./lookalikes.mjs').LookAlike[]} */
  const lookAlikes = JSON.parse(readFileSync(join(work, 'look-alikes.json'), 'utf8'));
  for (const name of ['warnings.json', 'look-alikes.json']) rmSync(join(work, name));
  const levels = new Set(check(sitegate, recipe, work).findings.filter(({ severity }) => severity === 'error').map(({ rule }) => `${rule} = "warn"\n`));
  const contract = `[rules]\n${[...levels].join('')}[inventory]\nanchors = "headings"\n${sourcesOf(recipe)}`;
  // All addresses before the moves.
  writeFileSync(join(work, 'sitegate.toml'), contract);
  checkWithContract(sitegate, recipe, work, ['--inventory', 'addresses.txt']);
  if (!existsSync(join(work, 'addresses.txt'))) throw new Error(`${recipe.name} has no inventory`);
  // The folder of the first address is that of the site.
  const [base = '/'] = readFileSync(join(work, 'addresses.txt'), 'utf8').match(/^\/(?:[^/\s]+\/)*/mu) ?? [];
  writeFileSync(join(work, 'sitegate.toml'), `${contract}[permalinks]\nkeep = ["addresses.txt"]\n`);
  writeFileSync(join(work, '.gitignore'), `${recipe.export}\nreport.json\n`);
  for (const args of [['init', '--quiet'], ['add', '.']]) output(['git', ...args], work);
  commit(work);
  return { work, base, env: made.env, warnings, lookAlikes };
}

/**
 * Returns look-alikes of references to files, the same ones for every seed.
 *
 * @param {Recipe} recipe
 * @param {string} app
 * @param {number} count
 */
function chosenLookAlikes(recipe, app, count) {
  const roll = dice(1);
  const references = pages(recipe, app).flatMap((file) => referencesOf(app, file));
  const own = references.filter(({ target }) => /^(?![a-z]+:|\/\/|#).*[./]/iu.test(target));
  const texts = own.length > 0 ? Array.from({ length: count }, () => pick(own, roll)).flatMap((one) => (one ? [{ file: one.file, damaged: one.target }] : [])) : [];
  return lookAlikesOf(recipe, app, texts, roll);
}

/**
 * Returns the sources that are pages.
 *
 * @param {Recipe} recipe
 * @param {string} work
 */
const pages = (recipe, work) =>
  filesOf(work, recipe.plant).filter((name) => /\.(?:md|rst|txt)$/u.test(name) && name.startsWith(usual[recipe.name] ?? '') && !name.startsWith(`${recipe.export}/`) && statSync(join(work, name)).isFile());

/**
 * Returns the number of look-alikes that have changed, and prints them.
 *
 * @param {Recipe} recipe
 * @param {string} work
 * @param {import('./lookalikes.mjs').LookAlike[]} lookAlikes
 */
function changed(recipe, work, lookAlikes) {
  const texts = pages(recipe, work).map((file) => readFileSync(join(work, file), 'utf8'));
  const edited = lookAlikes.filter(({ damaged }) => !texts.some((text) => text.includes(damaged.trim())));
  for (const { context, number, damaged } of edited) {
    const [now] = texts.flatMap((text) => text.match(new RegExp(`.*lookalike${number}begin.*`, 'u')) ?? []);
    console.log(`  edited: ${context}: \`${damaged.match(/.*lookalike.*/u)?.[0]}\` → \`${now}\``);
  }
  return edited.length;
}

/** @param {string} work */
function commit(work) {
  output(['git', 'add', '--all'], work);
  output(['git', '-c', 'user.name=x', '-c', 'user.email=x@example.org', '-c', 'gc.auto=0', 'commit', '--quiet', '--message=x'], work);
}

/**
 * Chooses a page and its new path: another name, another folder, or a new folder.
 *
 * @param {Recipe} recipe
 * @param {string} work
 * @param {() => number} roll
 * @param {Set<string>} done
 * @returns {Move | undefined}
 */
function choose(recipe, work, roll, done) {
  const movable = pages(recipe, work).filter((name) => !/SUMMARY|(?:^|\/)_?(?:index|readme)\.\w+$/iu.test(name) && !done.has(name));
  const from = pick(movable, roll);
  if (from === undefined) return undefined;
  const folders = [...new Set(movable.map((name) => dirname(name)))];
  const name = basename(from, extname(from));
  const other = pick(folders, roll) ?? dirname(from);
  const kinds = [
    join(dirname(from), `${name}-renamed${extname(from)}`),
    join(other, other === dirname(from) ? `moved-${basename(from)}` : basename(from)),
    join(dirname(from), `more`, basename(from)),
  ];
  const to = pick(kinds, roll) ?? from;
  return existsSync(join(work, to)) ? undefined : { from, to };
}

/**
 * Requests all addresses of the first build from the preview. Returns those that do not end at a page or file.
 *
 * @param {string} sitegate
 * @param {Recipe} recipe
 * @param {string} work
 */
async function unanswered(sitegate, recipe, work) {
  const [, body = ''] = readFileSync(join(work, 'addresses.txt'), 'utf8').split(/\n\n(.*)/su);
  const lines = body.split('\n').filter((line) => line.startsWith('/')).map((line) => line.replace(/\t.*/u, ''));
  // VitePress names the scripts of pages by their content.
  const addresses = lines.filter((address) => !/\.md\.[\w-]+(?:\.lean)?\.js$/u.test(address) && !address.includes('*'));
  const { origin, close } = await serve(sitegate, work, [recipe.export, '--stop-after', '300']);
  try {
    /** @type {string[]} */
    const lost = [];
    for (const address of addresses) {
      const { ok, body: rest } = await fetch(new URL(address, origin));
      await rest?.cancel();
      if (!ok) lost.push(address);
    }
    return { requested: addresses.length, lost };
  } finally {
    close();
  }
}

/**
 * Moves pages, builds, and compares.
 *
 * @param {import('./main.mjs').Lab} lab
 * @param {Recipe} described
 * @param {number} seed
 */
export async function measure({ sitegate, faults, moves: wanted, batch }, described, seed) {
  const recipe = { ...described, ...adapted[described.name] };
  const { work, base, env, warnings: first, lookAlikes } = prepare(sitegate, recipe, faults);
  const roll = dice(seed);
  const counts = { moved: 0, refused: 0, references: 0, redirects: 0, notes: 0, findings: 0, addresses: 0, anchors: 0, warnings: 0, requested: 0, unanswered: 0, lookAlikes: lookAlikes.length, edited: 0 };
  /** @type {Set<string>} */
  const done = new Set();
  let before = checkWithContract(sitegate, recipe, work);
  let warnings = first;
  for (let tries = 0; counts.moved < wanted && tries < 4 * wanted; ) {
    /** @type {Move[]} */
    const moves = [];
    while (moves.length < Math.min(batch, wanted - counts.moved) && tries < 4 * wanted) {
      tries += 1;
      const move = choose(recipe, work, roll, done);
      if (move === undefined) continue;
      const { status, stderr } = output([sitegate, 'mv', move.from, move.to, recipe.export], work);
      done.add(move.from).add(move.to);
      if (status !== 0) {
        counts.refused += 1;
        console.log(`  refused: ${move.from} → ${move.to}: ${stderr.trim()}`);
        continue;
      }
      moves.push(move);
      counts.moved += 1;
      const [, references = 0, redirects = 0] = (stderr.match(/with ([\d,]+) references? and ([\d,]+) redirects?/u) ?? []).map((text) => Number(text.replaceAll(',', '')));
      counts.references += references;
      counts.redirects += redirects;
      for (const note of stderr.split('\n').filter((line) => line.startsWith('look at'))) {
        counts.notes += 1;
        console.log(`  ${note}`);
      }
      commit(work);
    }
    const fresh = build(recipe, work, env);
    const after = checkWithContract(sitegate, recipe, work);
    compare(counts, { moves, base, root: usual[recipe.name] ?? '' }, { report: before, warnings }, { report: after, warnings: fresh });
    [before, warnings] = [after, fresh];
  }
  const { requested, lost } = await unanswered(sitegate, recipe, work);
  for (const address of lost) console.log(`  not answered: ${address}`);
  [counts.requested, counts.unanswered, counts.edited] = [requested, lost.length, changed(recipe, work, lookAlikes)];
  const failures = counts.findings + counts.addresses + counts.anchors + counts.warnings + counts.unanswered + counts.edited;
  return { rows: [[recipe.generator, seed, ...Object.values(counts)]], failures };
}
