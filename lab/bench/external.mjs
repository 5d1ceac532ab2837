// Benchmarks external link checks of sitegate and lychee with the same rate limits, compared with the minimum time.
//
//   lab/bench/external [ROW…] [--rounds N] [--sitegate PATH] [--alone]
//
// The hosts are addresses of this machine, 127.1.x.y, that answer after a delay. The bound is the longest of: for each
// host, links × delay ÷ concurrency, and links × interval; and for all hosts, links × delay ÷ total concurrency. Prints
// medians of wall seconds, their ratio to the bound, CPU seconds and peak memory, and the number of requests and of
// concurrent requests to one host. `--alone` skips lychee.
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { measuredProgram, run } from '../../scripts/run.mjs';
import { work } from './corpora.mjs';
import { cost, median } from './measure.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    sitegate: { type: 'string' },
    alone: { type: 'boolean', default: false },
  },
});

/**
 * @param {number} delay
 * @param {number} pages
 * @returns {[delay: number, pages: number]}
 */
const linked = (delay, pages) => [delay, pages];

/** Concurrent requests to all hosts, the default of both tools. */
const CAP = 128;

/** The goal, as a ratio to the bound. */
const GOAL = 1.1;

/**
 * @typedef {import('./measure.mjs').Command} Command
 *
 * Links to hosts: the delay of each host and the number of linked pages. All times are in milliseconds.
 * @typedef {{ words: string, hosts: [delay: number, pages: number][], atOnce: number, interval: number, fragments?: number }} Row
 */

/**
 * @template T
 * @param {number} count
 * @param {(number: number) => T} of
 */
const times = (count, of) => Array.from({ length: count }, (_, number) => of(number));
const ids = times(50, (number) => `section-${number}`);
const longPage = `<!doctype html><title>Page</title><a href="/">Home</a>${ids.map((id) => `<h2 id="${id}">${id}</h2><p>${'words of a page '.repeat(25)}</p>`).join('\n')}`;

/**
 * For each host, its delay and the number of linked pages. All times are in milliseconds.
 *
 * @type {Record<string, Row>}
 */
const rows = {
  'one-host': { words: '1,000 links on one host, 50 ms', hosts: [[50, 1000]], atOnce: 10, interval: 1 },
  'one-host-apart': { words: '500 links on one host, 50 ms, 20 ms apart', hosts: [[50, 500]], atOnce: 10, interval: 20 },
  'many-hosts': { words: '10,000 links on 1,000 hosts, 50 ms', hosts: times(1000, () => linked(50, 10)), atOnce: 10, interval: 1 },
  'one-slow': { words: '2,080 links on 101 hosts, 20 ms, one of them 500 ms', hosts: [...times(100, () => linked(20, 20)), linked(500, 80)], atOnce: 10, interval: 1 },
  fragments: { words: '10,000 links to places in 2,000 pages of 21 kB on 50 hosts, 200 ms', hosts: times(50, () => linked(200, 40)), atOnce: 10, interval: 1, fragments: 5 },
};

/**
 * @param {number} number
 * @param {number} digits
 */
const fixed = (number, digits = 2) => number.toFixed(digits);
/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/**
 * Returns the minimum duration of a row, in seconds.
 *
 * @param {Row} row
 */
function bound({ hosts, atOnce, interval }) {
  const each = hosts.map(([delay, pages]) => Math.max((pages / atOnce) * delay, (pages - 1) * interval));
  return Math.max(...each, sum(hosts.map(([delay, pages]) => pages * delay)) / CAP) / 1000;
}

/**
 * Writes the site of a row: links to its hosts, interleaved, a thousand on each page.
 *
 * @param {string} site
 * @param {Row} row
 * @param {string[]} origins
 */
function write(site, { hosts, fragments }, origins) {
  rmSync(site, { recursive: true, force: true });
  mkdirSync(site, { recursive: true });
  const most = Math.max(...hosts.map(([, pages]) => pages));
  const urls = times(most, (page) => origins.filter((_, host) => page < (hosts[host]?.[1] ?? 0)).map((origin) => `${origin}/page-${page}`)).flat();
  const links = fragments === undefined ? urls : urls.flatMap((url, at) => times(fragments, (number) => `${url}#${ids[(at + number) % ids.length]}`));
  for (let page = 0; page * 1000 < links.length; page += 1) {
    const some = links.slice(page * 1000, (page + 1) * 1000).map((url) => `<li><a href="${url}">${url}</a></li>`);
    const name = page === 0 ? 'index' : `page-${page}`;
    writeFileSync(join(site, `${name}.html`), `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Links, ${name}</title>\n<ul>\n${some.join('\n')}\n</ul>\n`);
  }
}

/**
 * Returns the commands of a row by program.
 *
 * @param {string} site
 * @param {Row} row
 * @param {string} sitegate
 * @returns {Record<string, Command>}
 */
function commands(site, { atOnce, interval, fragments }, sitegate) {
  const contract = `${site}.toml`;
  const off = ['insecure-link', 'local-address', 'orphan-page'].map((rule) => `${rule} = "off"\n`).join('');
  writeFileSync(
    contract,
    `[site]\nroot = ${JSON.stringify(site)}\n[rules]\n${off}[external]\nallow-addresses = ["127.0.0.0/8"]\nconcurrency = ${CAP}\n[external.host]\nconcurrency = ${atOnce}\ninterval = ${interval / 1000}\n`,
  );
  /** @type {Record<string, Command>} */
  const ours = { sitegate: [sitegate, 'check', '--external', '--no-cache', '--config', contract] };
  if (flags.alone) return ours;
  const lychee = join(work, 'bin', 'lychee');
  if (!existsSync(lychee)) run('cargo', ['install', '--quiet', '--locked', '--root', work, 'lychee@0.24.2']);
  const politeness = ['--max-concurrency', String(CAP), '--host-concurrency', String(atOnce), '--host-request-interval', `${interval}ms`];
  const how = fragments === undefined ? ['--method', 'head'] : ['--include-fragments'];
  return { ...ours, lychee: [lychee, '--no-progress', ...politeness, ...how, `${site}/*.html`] };
}

/**
 * Measures one row and prints its lines.
 *
 * @param {string} name
 * @param {Row} row
 * @param {string} sitegate
 * @param {number} rounds
 */
async function measure(name, row, sitegate, rounds) {
  const counts = new Int32Array(new SharedArrayBuffer(8));
  const workerData = { delays: row.hosts.map(([delay]) => delay), page: row.fragments && longPage, counts };
  const hosts = new Worker(new URL('./hosts.mjs', import.meta.url), { workerData });
  /** @type {string[]} */
  const origins = (await once(hosts, 'message'))[0];
  const site = join(work, 'external', name);
  write(site, row, origins);
  const least = bound(row);
  /** @type {Map<string, { command: Command, costs: (import('./measure.mjs').Cost & { requests: number, atOnce: number })[] }>} */
  const runs = new Map(Object.entries(commands(site, row, sitegate)).map(([label, command]) => [label, { command, costs: [] }]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { command, costs } of runs.values()) {
      counts.fill(0);
      const one = cost(command, 1);
      costs.push({ ...one, requests: counts[0] ?? 0, atOnce: counts[1] ?? 0 });
    }
  }
  await hosts.terminate();
  for (const [label, { costs }] of runs) {
    /** @param {'wall' | 'cpu' | 'memory' | 'requests' | 'atOnce'} kind */
    const of = (kind) => median(costs.map((one) => one[kind]));
    const ratio = of('wall') / least;
    const goal = label === 'sitegate' ? `${GOAL}: ${ratio <= GOAL ? 'met' : 'missed'}` : '';
    const first = label === 'sitegate' ? `${row.words} | ${fixed(least)}` : ' | ';
    console.log(`| ${first} | ${label} | ${fixed(of('wall'))} | ${fixed(ratio)} | ${fixed(of('cpu'))} | ${fixed(of('memory'), 0)} | ${of('requests')} | ${of('atOnce')} | ${goal} |`);
  }
}

const wanted = positionals.length > 0 ? positionals : Object.keys(rows);
const rounds = Number(flags.rounds);
const unknown = wanted.filter((name) => rows[name] === undefined);
if (unknown.length > 0 || !(rounds >= 1)) {
  console.error(`bench: ${unknown.length > 0 ? `there is no row ${unknown.join(', ')}` : 'rounds is a number from 1'}; the rows are ${Object.keys(rows).join(' ')}`);
  process.exitCode = 2;
} else {
  mkdirSync(work, { recursive: true });
  const sitegate = measuredProgram(flags.sitegate);
  console.log(`medians of ${rounds} rounds in turn, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${CAP} requests at once to all hosts\n`);
  console.log('| what is asked | bound s | program | wall s | of the bound | CPU s | MiB | requests | at once to a host | goal |\n|---|---|---|---|---|---|---|---|---|---|');
  for (const name of wanted) if (rows[name] !== undefined) await measure(name, rows[name], sitegate, rounds);
}
