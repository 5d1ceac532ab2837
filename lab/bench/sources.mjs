// Benchmarks `[source]`: checks an export with many broken links, with and without its sources.
//
//   node lab/bench/sources.mjs [--findings N] [--sitegate PATH]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { spawnSync } from 'node:child_process';
import { measuredProgram } from '../../scripts/run.mjs';

/** Broken links on each page. */
const ofPage = 50;

const { values: flags } = parseArgs({ options: { findings: { type: 'string', default: '100000' }, sitegate: { type: 'string' } } });
const sitegate = measuredProgram(flags.sitegate);
const folder = mkdtempSync(join(tmpdir(), 'sitegate-sources-bench-'));

/**
 * Returns a link and its target. A third of the links are unique, a third are on many pages, and a third differ from the source.
 *
 * @param {number} page
 * @param {number} number
 * @returns {[href: string, target: string]}
 */
function link(page, number) {
  if (number % 3 === 0) return [`../gone/only-${page}-${number}/`, `../gone/only-${page}-${number}/`];
  if (number % 3 === 1) return [`/gone/shared-${number}/`, `/gone/shared-${number}/`];
  return [`/guide/setup-${page % 97}-${number}.html`, `setup-${page % 97}-${number}.md`];
}

for (const name of ['dist/guide', 'content/guide']) mkdirSync(join(folder, name), { recursive: true });
for (let page = 0; page < Number(flags.findings) / ofPage; page += 1) {
  const links = Array.from({ length: ofPage }, (_, number) => link(page, number));
  const body = links.map(([href]) => `<p>Some words, and <a href="${href}">a link</a> among them.</p>`).join('\n');
  writeFileSync(join(folder, `dist/guide/page-${page}.html`), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page ${page}</title>\n${body}\n</html>\n`);
  writeFileSync(join(folder, `content/guide/page-${page}.md`), links.map(([, target]) => `Some words, and [a link](${target}) among them.\n`).join('\n'));
}
writeFileSync(join(folder, 'with.toml'), '[source]\ninclude = ["content/**"]\n');
writeFileSync(join(folder, 'without.toml'), '');
for (const contract of ['without.toml', 'with.toml']) {
  const times = Array.from({ length: 3 }, () => {
    const args = ['check', 'dist', '--config', contract, '--report', 'json=report.json'];
    const start = performance.now();
    const { status, stderr } = spawnSync('/usr/bin/time', ['-f', '%M', sitegate, ...args], { cwd: folder, encoding: 'utf8' });
    if (status !== 1) throw new Error(stderr);
    return { seconds: (performance.now() - start) / 1000, memory: Number(stderr.trim().split('\n').at(-1)) / 1024 };
  });
  const [best] = times.toSorted((a, b) => a.seconds - b.seconds);
  if (best !== undefined) console.log(`${contract.replace('.toml', '').padEnd(8)} ${best.seconds.toFixed(2)} s  ${best.memory.toFixed(0)} MiB`);
}
rmSync(folder, { recursive: true });
