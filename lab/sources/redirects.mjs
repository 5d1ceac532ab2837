// Measures the proposals of `sitegate redirects`, between two versions of a project.
//
// Sphinx builds them without the project's own conf.py, because old ones need old releases of Sphinx.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../real-sites/run.mjs';
import { project } from './project.mjs';

/**
 * A project: its versions, as `name==version` of PyPI, the folder of its documentation, the name of its first page, and the
 * destinations that are right for each lost page; none if there is no such page.
 *
 * @typedef {{ name: string, before: string, after: string, docs: string, first: string, expected: Record<string, string[]> }} Project
 * @typedef {{ from: string, to: string, certainty: 'certain' | 'likely', replaces?: Redirect[] }} Redirect
 * @typedef {(typeof verdicts)[number]} Verdict
 */

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
    run(['sphinx-build', '-Q', '-C', '-d', join(home, 'doctrees'), ...settings, sources, site], home, env);
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
    run(['git', '-c', 'user.name=lab', '-c', 'user.email=lab@example.com', '-c', 'gc.auto=0', ...args], top).trim();
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

const verdicts = /** @type {const} */ (['certain', 'wrong and certain', 'candidate', 'wrong candidate', 'none']);
export const titles = ['lost', ...verdicts];

/**
 * Judges the proposals for a project: with the earlier export, with the earlier commit, and with both.
 *
 * @param {import('./main.mjs').Lab} lab
 * @param {Project} recipe
 */
export function measure({ sitegate }, recipe) {
  const [before, after] = [built(recipe, 'before'), built(recipe, 'after')];
  const lost = Object.keys(recipe.expected);
  const { top, first } = repository(after.home, [before.sources, after.sources], lost);
  const evidence = { export: ['--before', before.site], commit: ['--base', first], both: ['--before', before.site, '--base', first] };
  let failures = 0;
  const rows = Object.entries(evidence).map(([name, args]) => {
    const { status, stdout, stderr } = spawnSync(sitegate, ['redirects', after.site, '--format', 'json', ...args], { cwd: top, encoding: 'utf8' });
    if (status === 2 || status === null) throw new Error(stderr);
    const { proposals } = JSON.parse(stdout);
    if (proposals.lost !== lost.length) throw new Error(`${recipe.name}: ${proposals.lost} addresses are lost, not ${lost.length}`);
    const given = [...judge(proposals.redirects, recipe.expected).values()];
    const counts = verdicts.map((verdict) => given.filter((one) => one === verdict).length);
    failures += counts[1] ?? 0;
    return [`${recipe.before} to ${recipe.after}`, name, proposals.lost].concat(counts);
  });
  return { rows, failures };
}
