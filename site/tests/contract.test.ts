// Mutation tests of sitegate.toml: for every required page and assertion, an export that violates it must fail.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** A change to an export and the expected finding. */
interface Mutation {
  /** The changed or removed page. */
  page: string;
  /** The change. `undefined` removes the page. */
  change?: (html: string) => string;
  /** The expected rule. */
  rule: string;
  /** The name of the assertion in the contract, if it is one. */
  assertion?: string;
  /** A label to distinguish mutations of the same assertion. */
  note?: string;
}

/** Replaces the first match. Fails without a match, because such a mutation would prove nothing. */
function replaced(from: string | RegExp, to: string) {
  return (html: string) => {
    const changed = html.replace(from, () => to);
    if (changed === html) throw new Error(`${from} is not in the page`);
    return changed;
  };
}

/** Removes everything from one marker up to the next. */
const without = (pattern: RegExp) => replaced(pattern, '');

/** Swaps the first two matches. */
function swapped(pattern: RegExp) {
  return (html: string) => {
    const [first, second] = html.match(new RegExp(pattern, 'gs')) ?? [];
    if (first === undefined || second === undefined) throw new Error(`${pattern} is not there twice`);
    return html.replace(first, '\0').replace(second, () => first).replace('\0', () => second);
  };
}

const home = 'index.html';
const prompt = 'prompt-optimization/index.html';
const cache = 'smart-caching/index.html';
const routing = 'model-routing/index.html';
const analytics = 'usage-analytics/index.html';
const terms = 'terms/index.html';
const privacy = 'privacy/index.html';
const notFound = '404.html';

const clause = /<section[^>]*data-clause.*?<\/section>/s;
/** 15 kB of incompressible text, reproducible. */
const noise = Array.from({ length: 440 }, (_, index) => createHash('sha256').update(`${index}`).digest('hex')).join('').slice(0, 28_000);

const mutations: Mutation[] = [
  // Pages.
  ...[home, prompt, cache, routing, analytics, terms, privacy, notFound].map((page) => ({ page, rule: 'missing-page', note: 'removed' })),
  // Links, anchors, assets.
  { page: home, change: replaced('href="/terms"', 'href="/trems"'), rule: 'broken-link' },
  { page: cache, change: replaced('href="/#benefits"', 'href="/#benfits"'), rule: 'broken-anchor' },
  { page: home, change: replaced(/(src|href)="\/assets\//, 'href="/assets/gone-'), rule: 'missing-asset' },
  { page: notFound, change: replaced(/href="\/assets\//, 'href="assets/'), rule: 'relative-link-in-404' },
  // All pages.
  { page: terms, change: replaced(/<\/h1>/, '</h1><h1>Again</h1>'), rule: 'wrong-count', assertion: 'one main heading' },
  { page: privacy, change: without(/<header.*?<\/header>/s), rule: 'wrong-count', assertion: 'home link in the header' },
  // Loaded files.
  { page: home, change: replaced('</body>', '<script>1</script></body>'), rule: 'wrong-count', assertion: 'one script that runs at once' },
  { page: terms, change: replaced('</body>', '<script src="/404.js?"></script></body>'), rule: 'wrong-count', assertion: 'no script before the visitor does anything' },
  { page: cache, change: replaced(' media="not all"', ''), rule: 'wrong-count', assertion: 'no script before the visitor does anything', note: 'preloaded' },
  { page: analytics, change: without(/<link rel="modulepreload"[^>]*>/), rule: 'wrong-count', assertion: 'scripts in one trip' },
  { page: routing, change: without(/<link rel="modulepreload"[^>]*>/), rule: 'wrong-count', assertion: 'scripts of an example in one trip' },
  { page: notFound, change: without(/<link rel="stylesheet"[^>]*>/), rule: 'wrong-count', assertion: 'two style sheets' },
  { page: home, change: without(/<link rel="prefetch"[^>]*>/), rule: 'wrong-count', assertion: 'styles of feature pages, which the home page fetches when it is idle' },
  { page: analytics, change: without(/<script type="speculationrules">.*?<\/script>/), rule: 'wrong-count', assertion: 'speculation rules' },
  { page: cache, change: without(/<link rel="stylesheet"[^>]*>/), rule: 'wrong-count', assertion: 'three style sheets of a feature page' },
  { page: privacy, change: without(/<link rel="preload"[^>]*>/), rule: 'wrong-count', assertion: 'two fonts, early' },
  { page: home, change: replaced('</head>', `${'<link rel="preload" href="/favicon.svg?-latin" as="font">'.repeat(3)}</head>`), rule: 'wrong-count', assertion: 'fonts of the rare letters of a name' },
  ...[home, prompt, cache, routing, analytics, terms, privacy, notFound].map((page) => ({ page, change: replaced('</body>', `<!--${noise}--></body>`), rule: 'size-budget', note: '15 kB more' })),
  // Demo links.
  { page: home, change: replaced(' target="_blank"', ''), rule: 'wrong-attribute', assertion: 'demo links', note: 'no target' },
  { page: cache, change: replaced('rel="noopener"', 'rel="nofollow"'), rule: 'wrong-attribute', assertion: 'demo links', note: 'no noopener' },
  { page: routing, change: replaced(/(data-demo="" href=")[^"]*/, 'data-demo="" href="https://cal.example.com/other'), rule: 'inconsistent-value', assertion: 'demo links' },
  { page: analytics, change: (html) => html.replaceAll('data-demo=""', ''), rule: 'wrong-count', assertion: 'demo links', note: 'none left' },
  { page: prompt, change: replaced(/(data-demo="" href=")[^"]*/, 'data-demo="" href="https://cal.example.com/other'), rule: 'wrong-attribute', assertion: 'demo address' },
  { page: terms, change: replaced('</main>', '<a href="https://elsewhere.example.org/">x</a></main>'), rule: 'wrong-attribute', assertion: 'links to other sites' },
  // Header and footer.
  { page: home, change: swapped(/href="\/(prompt-optimization|smart-caching)"/), rule: 'wrong-order', assertion: 'Features menu' },
  { page: prompt, change: replaced(/Company(?=<\/h2>)/, 'Firm'), rule: 'wrong-text', assertion: 'footer columns' },
  { page: prompt, change: replaced(/Privacy Policy(?=<\/a>)/, 'Privacy'), rule: 'wrong-text', assertion: 'link to the Privacy Policy' },
  { page: prompt, change: replaced(/Terms of Use(?=<\/a>)/, 'Terms'), rule: 'wrong-text', assertion: 'link to the Terms of Use' },
  { page: home, change: (html) => html.replaceAll('2024', '2025'), rule: 'wrong-text', assertion: 'copyright line', note: 'year' },
  { page: home, change: replaced('All rights reserved', 'Some rights reserved'), rule: 'wrong-text', assertion: 'copyright line', note: 'rights' },
  // Home.
  { page: home, change: replaced('<section id="benefits"', '<section id="benefit"'), rule: 'wrong-order', assertion: 'home anchors in order' },
  { page: home, change: replaced(/See How It Works(?=<)/, 'Read on'), rule: 'wrong-text', assertion: 'See How It Works' },
  { page: home, change: replaced(/Save Time(?=<\/h3>)/, 'Save Hours'), rule: 'wrong-text', assertion: 'benefits' },
  { page: home, change: (html) => html.replaceAll('SOC 2', 'ISO 27001'), rule: 'wrong-text', assertion: 'Enterprise Security claims' },
  { page: home, change: replaced('data-feature="smart-caching"', ''), rule: 'wrong-order', assertion: 'feature cards' },
  { page: home, change: replaced('950</strong>', '900</strong>'), rule: 'wrong-text', assertion: 'bill lines of the cards' },
  { page: home, change: without(/<blockquote.*?<\/blockquote>/s), rule: 'wrong-count', assertion: 'testimonials' },
  { page: home, change: (html) => html.replaceAll('40%', '30%'), rule: 'wrong-text', assertion: 'headline figures' },
  { page: home, change: replaced('/terms#marketing-figures', '/terms#website'), rule: 'wrong-attribute', assertion: 'clause about the headline figures' },
  { page: home, change: replaced(/(?<=data-slip.*?)\$5,040/s, '$5,400'), rule: 'wrong-text', assertion: 'bill on the first screen of a phone' },
  { page: home, change: (html) => html.replaceAll('Sample quotes', 'Quotes'), rule: 'wrong-text', assertion: 'sample quotes' },
  { page: home, change: replaced('What do you charge?', 'What does it cost?'), rule: 'wrong-text', assertion: 'first questions of buyers' },
  { page: home, change: replaced('What do you store,', 'What do we keep,'), rule: 'wrong-text', assertion: 'question about stored data' },
  { page: home, change: replaced('href="/privacy#collect"', 'href="/privacy#sharing"'), rule: 'wrong-order', assertion: 'stored data' },
  { page: home, change: (html) => html.replaceAll('90 days', '90 years'), rule: 'wrong-text', assertion: 'retention of stored data' },
  { page: home, change: replaced('To leave, change the line back', 'To leave, write to us'), rule: 'wrong-text', assertion: 'how to leave' },
  { page: home, change: replaced('>$8.4k<', '>$8k<'), rule: 'wrong-text', assertion: "the visitor's own bill" },
  { page: home, change: (html) => html.replaceAll('$40,320', '$44,320'), rule: 'wrong-text', assertion: 'sample bill without JavaScript' },
  { page: home, change: replaced('href="#bill=5000"', 'href="#bill"'), rule: 'wrong-order', assertion: "amounts that print the visitor's own bill" },
  { page: home, change: replaced(/href="#bill=5000"(?!.*href="#bill=5000")/s, 'href="#features"'), rule: 'wrong-count', assertion: 'the same amounts under the receipt' },
  { page: home, change: replaced('about these', 'about those'), rule: 'wrong-text', assertion: 'call about the own bill' },
  { page: home, change: replaced('Before our fee', 'After our fee'), rule: 'wrong-text', assertion: 'the fee is not in the estimate' },
  { page: home, change: replaced('never more than', 'seldom more than'), rule: 'wrong-text', assertion: 'limit of the rates' },
  { page: home, change: replaced('href="/privacy#cookies"', 'href="/privacy#sharing"'), rule: 'wrong-order', assertion: 'links about figures and data' },
  { page: home, change: replaced('>JavaScript<', '>TypeScript<'), rule: 'wrong-text', assertion: 'languages of the sample code' },
  ...([[/<pre(.*?)<\/pre>/s, 'sample code in each language'], [/(?<=<pre.*?)<ins>.*?<\/ins>/s, 'one new line in each sample']] as const).map(([part, assertion]): Mutation => ({ page: home, change: without(part), rule: 'wrong-count', assertion })),
  { page: home, change: without(/<details name.*?<\/details>/s), rule: 'wrong-count', assertion: 'five sample requests' },
  { page: home, change: replaced('costs full price', 'costs less'), rule: 'wrong-text', assertion: 'costs of the sample requests' },
  { page: home, change: replaced('What stays in your client', 'What stays'), rule: 'wrong-text', assertion: 'the change for an engineer' },
  // Feature pages.
  { page: cache, change: replaced('data-part="example"', 'data-part="sample"'), rule: 'wrong-order', assertion: 'parts of a feature page' },
  { page: cache, change: without(/(?<=data-part="how-it-works".*?)<li.*?<\/li>/s), rule: 'wrong-count', assertion: 'three steps' },
  { page: routing, change: without(/(?<=data-part="benefits".*?)<h3.*?<\/h3>/s), rule: 'wrong-count', assertion: 'six benefits' },
  { page: routing, change: without(/<blockquote.*?<\/blockquote>/s), rule: 'wrong-count', assertion: 'one testimonial' },
  { page: prompt, change: without(/(?<=data-part="faq".*?)<h3.*?<\/h3>/s), rule: 'wrong-count', assertion: 'three questions' },
  { page: prompt, change: without(/(?<=data-part="hero".*?)data-demo=""/s), rule: 'wrong-count', assertion: 'demo button in the hero' },
  { page: prompt, change: without(/(?<=data-part="demo".*?)data-demo=""/s), rule: 'wrong-count', assertion: 'closing demo button' },
  { page: cache, change: replaced('<a href="#example"', '<a href="#content"'), rule: 'wrong-count', assertion: 'link to the example' },
  { page: cache, change: without(/(?<=data-part="benefits".*?)<p [^>]*aria-hidden.*?<\/p>/s), rule: 'wrong-count', assertion: 'drawings of benefits' },
  { page: routing, change: replaced('You decide.', 'You pay.'), rule: 'wrong-text', assertion: 'steps of the call' },
  { page: cache, change: (html) => html.replaceAll('1,200', '1,300'), rule: 'wrong-text', assertion: 'the next line of the bill' },
  { page: analytics, change: replaced('>Project<', '>Product<'), rule: 'wrong-text', assertion: 'tabs of the dashboard' },
  { page: prompt, change: (html) => html.replaceAll('147', '148'), rule: 'wrong-text', assertion: 'prompt example figures' },
  { page: prompt, change: replaced('aria-pressed="true"', 'aria-pressed="false"'), rule: 'wrong-count', assertion: 'struck lines to put back' },
  { page: prompt, change: (html) => html.replaceAll('0.0294', '0.0295'), rule: 'wrong-text', assertion: 'prompt example costs' },
  { page: prompt, change: (html) => html.replaceAll('30–50%', '30–60%'), rule: 'wrong-text', assertion: 'prompt optimization savings' },
  { page: prompt, change: (html) => html.replaceAll('$0.20', '$0.25'), rule: 'wrong-text', assertion: 'price of the sample prompt' },
  { page: analytics, change: (html) => html.replaceAll('$5,800', '$7,560'), rule: 'wrong-text', assertion: 'months of the dashboard' },
  { page: cache, change: (html) => html.replaceAll('2.3', '2.4'), rule: 'wrong-text', assertion: 'cache example figures' },
  { page: cache, change: replaced('>Generous<', '>Loose<'), rule: 'wrong-text', assertion: 'similarity of cached questions' },
  { page: cache, change: (html) => html.replaceAll('60–80%', '70–80%'), rule: 'wrong-text', assertion: 'cache hit rates' },
  { page: routing, change: (html) => html.replaceAll('0.015', '0.016'), rule: 'wrong-text', assertion: 'routing example costs' },
  { page: routing, change: swapped(/(Fast|Strict)<!-- -->/), rule: 'wrong-order', assertion: 'quality of routed answers' },
  ...([[cache, 'Usual, $0.10:', 'all similarities'], [routing, 'Strict, $0.075:', 'all qualities']] as const).map(([page, text, all]): Mutation => ({ page, change: replaced(text, 'Free:'), rule: 'wrong-text', assertion: `${all} without JavaScript` })),
  { page: routing, change: (html) => html.replaceAll('30–60%', '40–60%'), rule: 'wrong-text', assertion: 'routing savings' },
  { page: analytics, change: (html) => html.replaceAll(/budget remaining/gi, 'Budget left'), rule: 'wrong-text', assertion: 'dashboard labels' },
  // Legal pages.
  { page: terms, change: without(clause), rule: 'wrong-count', assertion: '19 terms clauses', note: 'one removed' },
  { page: terms, change: swapped(clause), rule: 'wrong-numbering', assertion: '19 terms clauses', note: 'two swapped' },
  { page: privacy, change: without(clause), rule: 'wrong-count', assertion: '17 privacy sections', note: 'one removed' },
  { page: privacy, change: swapped(clause), rule: 'wrong-numbering', assertion: '17 privacy sections', note: 'two swapped' },
  { page: terms, change: replaced(/End of Terms(?=<)/, 'The end'), rule: 'wrong-text', assertion: 'End of Terms' },
  { page: privacy, change: (html) => html.replaceAll('class="cite"', ''), rule: 'wrong-count', assertion: 'numbers to cite' },
  { page: terms, change: (html) => html.replaceAll('60 days', '90 days'), rule: 'wrong-text', assertion: 'constants of the Terms' },
  { page: privacy, change: (html) => html.replaceAll('PIPEDA', 'the law of Canada'), rule: 'wrong-text', assertion: 'laws of the Privacy Policy' },
  { page: privacy, change: replaced('works out a sample bill', 'sends us a bill'), rule: 'wrong-text', assertion: 'the bill stays in the browser' },
  { page: privacy, change: replaced('11 September 2024', '12 September 2024'), rule: 'wrong-text', assertion: 'last updated' },
  { page: terms, change: replaced('/share/terms.png', '/share/home.png'), rule: 'wrong-count', assertion: 'share image of the Terms' },
  { page: privacy, change: replaced('/share/privacy.png', '/share/home.png'), rule: 'wrong-count', assertion: 'share image of the Privacy Policy' },
  { page: terms, change: replaced('Back to Home', 'Home'), rule: 'wrong-text', assertion: 'Back to Home' },
  { page: privacy, change: (html) => html.replaceAll('mailto:', '/#'), rule: 'wrong-count', assertion: 'mail links' },
  { page: terms, change: replaced('href="#contents"', 'href="#content"'), rule: 'wrong-count', assertion: 'contents bar' },
  { page: terms, change: replaced('</body>', '<script src="/404.js"></script></body>'), rule: 'wrong-count', assertion: 'no scripts on documents' },
  // Not found.
  { page: notFound, change: replaced('Oops! Page not found', 'Not here'), rule: 'wrong-text', assertion: 'not-found text' },
  { page: notFound, change: swapped(/href="\/(prompt-optimization|smart-caching)"/), rule: 'wrong-order', assertion: 'features on the not-found page' },
  { page: notFound, change: replaced('Return to Home', 'Home'), rule: 'wrong-text', assertion: 'Return to Home', note: 'text' },
  { page: notFound, change: replaced(/(?<=<main.*?)href="\/"/s, 'href="/terms"'), rule: 'wrong-count', assertion: 'Return to Home', note: 'link' },
];

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
