// Mutation tests of sitegate.toml: for every required page and assertion, an export that violates it must fail.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutations, type Mutation } from './mutations.ts';
import { exported, sitegate, top } from './sitegate.ts';

const contract = join(top, 'sitegate.toml');

interface Finding {
  rule: string;
  severity: string;
  message: string;
  file: string;
  url: string | null;
}

interface Result {
  code: number;
  findings: Finding[];
}

/** Checks a folder against the project's contract. */
async function check(folder: string): Promise<Result> {
  const args = ['check', folder, '--config', contract, '--format', 'json'];
  const { stdout, code } = await promisify(execFile)(sitegate, args, { cwd: top, maxBuffer: 1e8 }).then(
    (done) => ({ ...done, code: 0 }),
    (failed: { stdout: string; code: number }) => failed,
  );
  return { code, findings: (JSON.parse(stdout) as { findings: Finding[] }).findings };
}

const title = (mutation: Mutation) => [mutation.page, mutation.assertion, mutation.note].filter(Boolean).join(', ');

/** Whether only the page of the mutation decides about the expected finding, which then has the page as its file. */
const isLocal = ({ rule, assertion }: Mutation) => rule === 'size-budget' || (assertion !== undefined && rule !== 'inconsistent-value');

/** The mutations that one run of the program checks: of different pages if they are local, otherwise one. */
const rounds: Mutation[][] = [];
for (const mutation of mutations) {
  const round = rounds.find((others) => isLocal(mutation) && others.every((other) => isLocal(other) && other.page !== mutation.page));
  if (round === undefined) rounds.push([mutation]);
  else round.push(mutation);
}

let copy = '';
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'contract-'));
  await cp(exported, copy, { recursive: true });
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** Checks the copy with the mutations of a round. */
async function checkRound(round: Mutation[]): Promise<Result> {
  const originals = new Map<string, string>();
  try {
    for (const { page, change } of round) {
      const file = join(copy, page);
      const html = await readFile(file, 'utf8');
      originals.set(file, html);
      await (change === undefined ? rm(file) : writeFile(file, change(html)));
    }
    return await check(copy);
  } finally {
    for (const [file, html] of originals) await writeFile(file, html);
  }
}

const results = new Map<Mutation[], Promise<Result>>();

/** Returns the result of the round of a mutation, which its first test checks. */
function resultOf(mutation: Mutation): Promise<Result> {
  const round = rounds.find((others) => others.includes(mutation)) ?? [];
  const result = results.get(round) ?? checkRound(round);
  results.set(round, result);
  return result;
}

/** Checks the copy without some files, and returns those that an error names. A single file need not be named: any error is about it. */
async function missed(names: string[]): Promise<Set<string>> {
  const aside = `${copy}.aside`;
  try {
    for (const name of names) {
      await mkdir(dirname(join(aside, name)), { recursive: true });
      await rename(join(copy, name), join(aside, name));
    }
    const { code, findings } = await check(copy);
    if (code !== 1 || names.length === 1) return new Set(code === 1 ? names : []);
    const paths = new Set(findings.filter(({ severity, url }) => severity === 'error' && url !== null).map(({ url }) => new URL(url ?? '', 'https://export.test').pathname));
    return new Set(names.filter((name) => paths.has(`/${name}`)));
  } finally {
    await cp(aside, copy, { recursive: true });
    await rm(aside, { recursive: true });
  }
}

describe('the contract', () => {
  it('passes on the export as it is', async () => {
    const { code, findings } = await check(exported);
    // The sample addresses are placeholders until a deployment sets its own.
    expect(findings.filter((finding) => finding.rule !== 'placeholder')).toEqual([]);
    expect(code).toBe(0);
  });

  it('has a mutation for every page and every assertion', async () => {
    const text = await readFile(contract, 'utf8');
    const assertions = [...text.matchAll(/^\[\[assert\]\]\nname = "(.*)"/gm)].map((match) => match[1]);
    expect(assertions).toHaveLength([...text.matchAll(/^\[\[assert\]\]/gm)].length);
    const mutated = new Set(mutations.map((mutation) => mutation.assertion));
    expect(assertions.filter((name) => !mutated.has(name))).toEqual([]);
  });

  it.each(mutations.map((mutation) => [mutation.rule, title(mutation), mutation] as const))('%s: %s', async (rule, _title, mutation) => {
    const { code, findings } = await resultOf(mutation);
    expect(code).toBe(1);
    const prefix = mutation.assertion === undefined ? '' : `${mutation.assertion}: `;
    const found = findings.filter((finding) => finding.rule === rule && finding.message.startsWith(prefix) && finding.severity === 'error');
    expect(isLocal(mutation) ? found.filter(({ file }) => file === mutation.page) : found, JSON.stringify(findings, undefined, 1)).not.toEqual([]);
  });

  it('fails where a script, style sheet, font or image is gone, whichever', async () => {
    const loaded = (await readdir(copy, { recursive: true })).filter((name) => /\.(css|ico|js|png|svg|webp|woff2)$/.test(name));
    expect(loaded.filter((name) => name.endsWith('.js')).length).toBeGreaterThan(8);
    const named = await missed(loaded);
    // The other ones are named by files that were gone as well, or not by their address.
    const unnoticed: string[] = [];
    for (const name of loaded) if (!named.has(name) && !(await missed([name])).has(name)) unnoticed.push(name);
    expect(unnoticed).toEqual([]);
  }, 120_000);
});
