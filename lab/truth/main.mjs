// Freezes reports and reviews of many sites, or compares with frozen ones.
//
//   lab/truth/run [--freeze] [group…] [--sitegate PATH]
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { corpus } from '../bench/corpora.mjs';
import { root, run } from '../../scripts/run.mjs';
import { testedProgram } from '../tested-program.mjs';
import { explain } from './differences.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { freeze: { type: 'boolean', default: false }, sitegate: { type: 'string' }, only: { type: 'string', multiple: true, default: [] } },
});
const home = join(root, 'target', 'truth');
const [input, frozen, made] = [join(home, 'input'), join(home, 'frozen'), join(home, `made-${process.pid}`)];
const corpora = ['python', 'postgres', 'git', 'rust'];
const formats = ['sarif', 'junit', 'github', 'gitlab', 'rdjson', 'markdown', 'html', 'human'];
/** Bytes of output that a program may print. */
const maxBuffer = 2 ** 30;

const sitegate = testedProgram(flags.sitegate, 'release');

/**
 * Leaves out what differs between two runs of the same program.
 *
 * @param {string} text
 */
const stable = (text) =>
  text
    .replaceAll(home, '')
    .replaceAll(root.replace(/\/$/u, ''), '')
    .replaceAll(/made-\d+/gu, 'made')
    .replaceAll(/"(?:elapsed_ms|seconds|duration)": ?[\d.]+/gu, '"elapsed_ms": 0')
    .replaceAll(/time="[\d.]+"/gu, 'time="0"')
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s)\b/gu, '0 s');

/**
 * @param {string} cwd
 * @param {string[]} args
 */
function output(cwd, args) {
  const { stdout, stderr, status, signal } = spawnSync(sitegate, args, { cwd, encoding: 'utf8', maxBuffer, env: { ...process.env, NO_COLOR: '1', SITE_ORIGIN: 'https://example.com' } });
  if (signal !== null) throw new Error(`${args.join(' ')} in ${cwd} died by ${signal}\n${stderr}`);
  return stable(`exit code ${status}\n${stderr}\n${stdout}`);
}

/**
 * Checks a site, and returns each report by its name.
 *
 * @param {string} cwd
 * @param {string} site
 * @param {string[]} config
 * @param {boolean} all - Whether to make every format.
 */
function check(cwd, site, config, all) {
  mkdirSync(made, { recursive: true });
  const files = all ? formats.map((format) => [format, join(made, `report.${format}`)]) : [];
  const reports = files.flatMap(([format, file]) => ['--report', `${format}=${file}`]);
  const json = output(cwd, ['check', site, ...config, '--format', 'json', ...reports]);
  return { json, ...Object.fromEntries(files.filter(([, file]) => existsSync(String(file))).map(([format, file]) => [format, stable(readFileSync(String(file), 'utf8'))])) };
}

/** @typedef {{ name: string, run: () => Record<string, string> }} Subject */

/**
 * The ways to check a site: without a contract, and with the one of all rules.
 *
 * @param {string} name
 * @param {string} cwd
 * @param {string} site
 * @param {boolean} all
 * @returns {Subject[]}
 */
const both = (name, cwd, site, all) => [
  { name: `${name} bare`, run: () => check(cwd, site, ['--no-config'], all) },
  { name: `${name} strict`, run: () => check(cwd, site, ['--config', join(input, 'strict.toml')], all) },
];

/**
 * Returns the paths of the files in a folder of the input, sorted.
 *
 * @param {string} path
 */
const folder = (path) => (existsSync(join(input, path)) ? readdirSync(join(input, path)).toSorted() : []).map((name) => join(path, name));

/** @returns {Subject[]} */
function cases() {
  const folders = [...folder('cases').flatMap(folder), ...folder('bundles')].filter((path) => existsSync(join(input, path, 'site')));
  return folders.flatMap((path) => {
    const cwd = join(input, path);
    const own = existsSync(join(cwd, 'sitegate.toml')) ? [{ name: `${path} own`, run: () => check(cwd, 'site', ['--config', 'sitegate.toml'], true) }] : [];
    return own.concat(both(path, cwd, 'site', false));
  });
}

/** @returns {Subject[]} */
function project() {
  const known = [
    { name: 'site', cwd: join(input, 'project'), export: 'site/dist/client' },
    { name: 'docs', cwd: join(input, 'project/docs'), export: '.vitepress/dist' },
  ];
  return known
    .filter((one) => existsSync(join(one.cwd, one.export)))
    .flatMap((one) => {
      const own = { name: `${one.name} own`, run: () => check(one.cwd, one.export, ['--config', 'sitegate.toml', '--allow-env', 'SITE_ORIGIN', '--allow-env', 'SITE_DEMO_URL'], true) };
      return [own].concat(both(one.name, one.cwd, one.export, false));
    });
}

/**
 * Edits a copy of a site: a word on every seventh page, a title, an id, a removed page, a link.
 *
 * @param {string} name
 */
function edited(name) {
  const copy = join(input, `${name}-edited`);
  if (existsSync(copy)) return copy;
  cpSync(corpus(name), copy, { recursive: true });
  const pages = readdirSync(copy, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html')).toSorted();
  for (const [index, page] of pages.entries()) {
    const path = join(copy, page);
    if (index % 7 !== 0 || !statSync(path).isFile()) continue;
    const text = readFileSync(path, 'latin1');
    const changed = [
      text.replace('</p>', ' and more</p>'),
      text.replace(/<title>/u, '<title>New '),
      text.replace(/ id="(\w+)"/u, ' id="$1-new"'),
      text.replace(/href="([\w-]+\.html)/u, 'href="gone-$1'),
    ][(index / 7) % 5];
    if (changed === undefined) rmSync(path);
    else writeFileSync(path, changed, 'latin1');
  }
  return copy;
}

/** @returns {Subject[]} */
function reviews() {
  const bundles = folder('bundles');
  const pairs = [
    ...['python', 'git'].map((name) => ({ name, before: () => corpus(name), after: () => edited(name) })),
    ...bundles.slice(1).map((after, index) => ({ name: after, before: () => join(input, String(bundles[index]), 'site'), after: () => join(input, after, 'site') })),
  ];
  return pairs.map(({ name, before, after }) => ({
    name: `review ${name}`,
    run: () => Object.fromEntries(['json', 'human', 'markdown', 'html'].map((format) => [format, output(input, ['diff', '--no-config', before(), after(), '--format', format])])),
  }));
}

/** @type {Record<string, () => Subject[]>} */
const groups = {
  cases,
  ...Object.fromEntries(corpora.map((name) => [name, () => both(name, input, corpus(name), name === 'git')])),
  site: project,
  reviews,
};

/** Copies what changes with the project. */
function copyInputs() {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(input, { recursive: true });
  for (const { kind, to } of [{ kind: 'cases', to: 'cases' }, { kind: 'bundles.txt', to: '' }]) {
    run('cargo', ['run', '--quiet', '--package', 'sitegate-textcase', '--example', 'write', join(root, 'checker/check/tests', kind), join(input, to)]);
  }
  for (const path of ['site/dist/client', 'site/content', 'sitegate.toml', 'docs/.vitepress/dist', 'docs/sitegate.toml']) {
    if (existsSync(join(root, path))) cpSync(join(root, path), join(input, 'project', path), { recursive: true });
  }
  const { stdout } = spawnSync(sitegate, ['explain', '--format', 'json'], { encoding: 'utf8' });
  /** @type {{ id: string, category: string }[]} */
  const rules = JSON.parse(stdout).rules;
  const levels = rules.filter(({ category }) => !['external', 'live', 'contract'].includes(category)).map(({ id }) => `${id} = "warn"\n`);
  writeFileSync(join(input, 'strict.toml'), readFileSync(new URL('strict.toml', import.meta.url), 'utf8') + levels.join(''));
  // A contract with a mistake would only freeze its error.
  const tried = spawnSync(sitegate, ['check', join(input, 'bundles/vite/site'), '--config', join(input, 'strict.toml')], { encoding: 'utf8' });
  if (tried.status !== 1) throw new Error(`the contract of all rules is wrong:\n${tried.stderr}`);
}

const asked = [...positionals, ...flags.only];
if (flags.freeze && (asked.length === 0 || !existsSync(input))) copyInputs();
if (!existsSync(input)) throw new Error('nothing is frozen: run lab/truth/run --freeze with the program of before');
let [equal, different] = [0, 0];
for (const group of asked.length > 0 ? asked : Object.keys(groups)) {
  const subjects = groups[group];
  if (subjects === undefined) throw new Error(`no group ${group}: ${Object.keys(groups).join(', ')}`);
  for (const subject of subjects()) {
    const outputs = Object.entries(subject.run());
    for (const [format, text] of outputs) {
      const path = join(frozen, subject.name.replaceAll(' ', '.'), `${format}.gz`);
      if (flags.freeze) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, gzipSync(text, { level: 1 }));
        continue;
      }
      const before = existsSync(path) ? gunzipSync(readFileSync(path)).toString('utf8') : '';
      if (before === text) equal += 1;
      else {
        different += 1;
        explain(`${subject.name} ${format}`, before, text);
      }
    }
    const missing = flags.freeze ? [] : readdirSync(join(frozen, subject.name.replaceAll(' ', '.'))).filter((file) => !outputs.some(([format]) => `${format}.gz` === file));
    for (const file of missing) {
      different += 1;
      console.log(`no longer made: ${relative(frozen, join(frozen, subject.name, file))}`);
    }
  }
}
rmSync(made, { recursive: true, force: true });
console.log(flags.freeze ? `Frozen in ${frozen}` : `${equal} outputs are equal, ${different} are not`);
process.exitCode = different > 0 ? 1 : 0;
