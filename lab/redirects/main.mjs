// Measures the proposals of `sitegate redirects` with two versions of third-party documentation: see README.md.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { spawnSync } from 'node:child_process';
import { run, sitegate as program } from '../../scripts/run.mjs';
import { run as runIn } from '../real-sites/run.mjs';
import { project } from '../sources/project.mjs';

/**
 * A project: its versions, as `name==version` of PyPI, the folder of its documentation, the name of its first page, and the
 * destinations that are right for each lost page; none if there is no such page.
 *
 * @typedef {{ name: string, before: string, after: string, docs: string, first: string, expected: Record<string, string[]> }} Project
 * @typedef {{ from: string, to: string, certainty: 'certain' | 'likely', replaces?: Redirect[] }} Redirect
 * @typedef {'certain' | 'wrong and certain' | 'candidate' | 'wrong candidate' | 'none'} Verdict
 */

const folder = fileURLToPath(new URL('projects/', import.meta.url));
const { values: flags, positionals } = parseArgs({ allowPositionals: true, options: { sitegate: { type: 'string' } } });

const pip = ['sphinx==8.2.3', 'myst-parser==4.0.1'];
const extensions = 'extensions=sphinx.ext.autodoc,sphinx.ext.extlinks,myst_parser';

/**
 * Builds a version of the documentation, and returns the folders of its sources and of its export.
 *
 * @param {Project} recipe
 * @param {'before' | 'after'} which
 */
function built({ name, docs, first, ...versions }, which) {
  const sdist = versions[which];
  const { home, app, env } = project({ name: `redirects-${name}-${which}`, sdist, pip, generator: 'Sphinx', build: [], export: '', include: [], plant: [] });
  const [sources, site] = [join(app, docs), join(home, 'site')];
  if (!existsSync(site)) {
    const settings = [extensions, `master_doc=${first}`, 'highlight_language=none'].flatMap((setting) => ['-D', setting]);
    runIn(['sphinx-build', '-Q', '-C', '-d', join(home, 'doctrees'), ...settings, sources, site], home, env);
  }
  return { home, sources, site };
}

/**
 * Makes a repository with a commit for each version, and returns its folder and the first commit.
 *
 * @param {string} home
 * @param {string[]} versions the folders of the sources
 * @param {string[]} lost
 */
function repository(home, versions, lost) {
  const top = join(home, 'repository');
  rmSync(top, { recursive: true, force: true });
  mkdirSync(top);
  const git = (/** @type {string[]} */ ...args) =>
    runIn(['git', '-c', 'user.name=lab', '-c', 'user.email=lab@example.com', '-c', 'gc.auto=0', ...args], top).trim();
  git('init', '--quiet');
  const lines = ['[site]', 'origin = "https://docs.example.com"', '[source]', 'include = ["docs/**"]', '[permalinks]', 'keep = ["lost.txt"]'];
  writeFileSync(join(top, 'sitegate.toml'), `${lines.join('\n')}\n`);
  writeFileSync(join(top, 'lost.txt'), `${lost.join('\n')}\n`);
  const commits = versions.map((sources) => {
    rmSync(join(top, 'docs'), { recursive: true, force: true });
    cpSync(sources, join(top, 'docs'), { recursive: true });
    git('add', '--all', '--force');
    git('commit', '--quiet', '--message', 'docs');
    return git('rev-parse', 'HEAD');
  });
  return { top, first: commits[0] ?? '' };
}

/**
 * Returns the verdict on each lost page.
 *
 * @param {Redirect[]} redirects
 * @param {Record<string, string[]>} expected
 * @returns {Map<string, Verdict>}
 */
function judge(redirects, expected) {
  /** @type {Map<string, Verdict>} */
  const verdicts = new Map(Object.keys(expected).map((from) => [from, 'none']));
  for (const { from, to, certainty } of redirects.flatMap((one) => one.replaces ?? [one])) {
    const isRight = expected[from]?.includes(to);
    if (certainty === 'certain') verdicts.set(from, isRight ? 'certain' : 'wrong and certain');
    else verdicts.set(from, isRight ? 'candidate' : 'wrong candidate');
    if (!isRight) console.log(`  ${certainty}, but wrong: ${from} → ${to}`);
  }
  return verdicts;
}

const known = readdirSync(folder).map((name) => name.replace('.json', '')).toSorted();
/** @type {Project[]} */
const projects = (positionals.length > 0 ? positionals : known).map((name) => Object.assign(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')), { name }));
if (!flags.sitegate) run('cargo', ['build', '--quiet', '--release', '--bin', 'sitegate']);
const sitegate = resolve(flags.sitegate ?? program('release'));
const columns = /** @type {const} */ (['certain', 'wrong and certain', 'candidate', 'wrong candidate', 'none']);
const rows = [['project', 'evidence', 'lost', ...columns], ['---', '---', ...['', ...columns].map(() => '---:')]];
for (const recipe of projects) {
  const [before, after] = [built(recipe, 'before'), built(recipe, 'after')];
  const lost = Object.keys(recipe.expected);
  const { top, first } = repository(after.home, [before.sources, after.sources], lost);
  for (const [evidence, args] of Object.entries({
    export: ['--before', before.site],
    commit: ['--base', first],
    both: ['--before', before.site, '--base', first],
  })) {
    const { status, stdout, stderr } = spawnSync(sitegate, ['redirects', after.site, '--format', 'json', ...args], { cwd: top, encoding: 'utf8' });
    if (status === 2 || status === null) throw new Error(stderr);
    const { proposals } = JSON.parse(stdout);
    const verdicts = [...judge(proposals.redirects, recipe.expected).values()];
    const counts = columns.map((column) => verdicts.filter((verdict) => verdict === column).length);
    rows.push([`${recipe.before} to ${recipe.after}`, evidence, proposals.lost, ...counts].map(String));
    if (proposals.lost !== lost.length) throw new Error(`${recipe.name}: ${proposals.lost} addresses are lost, not ${lost.length}`);
    if (verdicts.includes('wrong and certain')) process.exitCode = 1;
  }
}
console.log(rows.map((row) => `| ${row.join(' | ')} |`).join('\n'));
