// Measures `sitegate diff`: see README.md.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { spawnSync } from 'node:child_process';
import { run, sitegate as program } from '../../scripts/run.mjs';
import { corpus, work } from '../bench/corpora.mjs';
import { inTurn } from '../bench/measure.mjs';
import { exported, make } from '../real-sites/make.mjs';
import { sites, steps } from './sites.mjs';

/** Maximum number of causes of a review of a real site. */
const most = 24;

const { values: flags, positionals } = parseArgs({ allowPositionals: true, options: { sitegate: { type: 'string' }, rounds: { type: 'string', default: '3' } } });
if (flags.sitegate === undefined) run('cargo', ['build', '--quiet', '--release', '--bin', 'sitegate']);
const sitegate = flags.sitegate === undefined ? program('release') : resolve(flags.sitegate);

/** Returns the size of a file or folder in bytes. */
const size = (/** @type {string} */ path) => Number(spawnSync('du', ['-sb', path], { encoding: 'utf8' }).stdout.split('\t')[0]);

/**
 * Copies a corpus with a word at the end of each page, and returns its folder.
 *
 * @param {string} name
 * @param {string} word
 */
function withFooter(name, word) {
  const home = join(work, 'sites', `${name}-${word}`);
  if (existsSync(home)) return home;
  const making = `${home}.making`;
  rmSync(making, { recursive: true, force: true });
  cpSync(corpus(name), making, { recursive: true });
  for (const file of readdirSync(making, { recursive: true, encoding: 'utf8' })) {
    const path = join(making, file);
    if (!file.endsWith('.html') || !statSync(path).isFile()) continue;
    writeFileSync(path, `${readFileSync(path, 'latin1')}<footer><p>Made by Acme ${word}</p></footer>\n`, 'latin1');
  }
  renameSync(making, home);
  return home;
}

/** Prints the cost of checks, facts and reviews. */
function costs() {
  console.log('| site | command | wall s | CPU s | MiB |\n|---|---|---|---|---|');
  for (const name of ['small-10000', 'rust']) {
    const [base, now] = [withFooter(name, 'Inc'), withFooter(name, 'Ltd')];
    const facts = join(work, `${name}.facts.gz`);
    spawnSync(sitegate, ['check', base, '--no-config', '--facts', facts], { stdio: 'ignore' });
    /** @type {[string, import('../bench/measure.mjs').Command][]} */
    const commands = [
      ['check NEW', [sitegate, 'check', now, '--no-config']],
      ['diff BASE NEW', [sitegate, 'diff', base, now, '--no-config']],
      ['diff FACTS NEW', [sitegate, 'diff', facts, now, '--no-config']],
      ['check --facts', [sitegate, 'check', base, '--no-config', '--facts', facts]],
    ];
    const measured = inTurn(commands.map(([, command]) => command), Number(flags.rounds));
    for (const [index, { wall, cpu, memory }] of measured.entries()) {
      console.log(`| ${name} | ${commands[index]?.[0]} | ${wall.toFixed(2)} | ${cpu.toFixed(2)} | ${memory.toFixed(0)} |`);
    }
    console.log(`\nfacts of ${name}: ${((size(facts) / size(base)) * 100).toFixed(1)} % of the site`);
    const output = spawnSync(sitegate, ['diff', base, now, '--no-config'], { encoding: 'utf8' }).stdout;
    console.log(`review of ${name}: ${output.split('\n').length - 1} lines\n`);
  }
}

/**
 * Builds a version of a site, and returns its folder.
 *
 * @param {string} name
 * @param {'before' | 'theme' | 'content'} which
 */
function built(name, which) {
  const site = `review-${name}-${which}`;
  const own = steps(name, which);
  make({ ...own, site, generator: name, digest: createHash('sha256').update(JSON.stringify(own)).digest('hex') }, false);
  return exported(site);
}

/**
 * Prints the reviews of a site's changes. Returns whether they have few causes.
 *
 * @param {string} name
 */
function review(name) {
  const before = built(name, 'before');
  /** @type {['theme', 'content']} */
  const changes = ['theme', 'content'];
  return changes.map((change) => {
    const args = ['diff', before, built(name, change), '--no-config'];
    console.log(`\n## ${name}, ${change}\n\n${spawnSync(sitegate, args, { encoding: 'utf8' }).stdout}`);
    const { causes } = JSON.parse(spawnSync(sitegate, [...args, '--format', 'json'], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout);
    console.log(`${name}, ${change}: ${causes.length} causes`);
    return causes.length <= most;
  });
}

const wanted = positionals.length > 0 ? positionals : ['cost', ...Object.keys(sites)];
const results = wanted.flatMap((name) => (name === 'cost' ? costs() ?? [] : review(name)));
process.exitCode = results.every(Boolean) ? 0 : 1;
