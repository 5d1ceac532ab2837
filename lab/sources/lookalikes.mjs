// Measures whether `check --fix` edits texts that look like the broken link and are none: code, comments, raw text, prose.
//
// Half of the faults are links in a source, with look-alikes in the same source. The other half are links in the export only,
// as those of a theme outside of the sources, and their look-alikes are in the source of the page: nothing may be edited.
// A look-alike that the generator makes a link is not judged: the rendered page decides what is a link.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerable, choose } from './faults.mjs';
import { judge, proposed, show, touches, verifyWritten } from './fixes.mjs';
import { built } from './project.mjs';
import { dice, filesOf, pick, plant } from './references.mjs';

/**
 * @typedef {import('./project.mjs').Recipe} Recipe
 * @typedef {import('./faults.mjs').Fault} Fault
 * @typedef {import('./references.mjs').Planted} Planted
 *
 * A link of the theme: the page that has it, and the source of that page.
 * @typedef {{ page: string, file: string, original: string, damaged: string }} ThemeLink
 *
 * A look-alike: its context, its number in the text, and whether its fault is in the theme.
 * @typedef {Planted & { context: string, number: number, isOfTheme: boolean }} LookAlike
 * @typedef {{ page: string, file: string }[]} Pages
 * @typedef {{ own: Fault[], theme: ThemeLink[], lookAlikes: LookAlike[] }} Saved
 *
 * The text of a context, from a link, its target, and the words that begin and end the look-alike.
 * @typedef {(link: string, target: string, begin: string, end: string) => string} Context
 */

/** @type {Record<string, Context>} */
const markdown = {
  'indented code': (link) => `Look-alike:\n\n    ${link}`,
  'fence': (link) => `\`\`\`\n${link}\n\`\`\``,
  'fence in a fence': (link) => `\`\`\`\`md\n\`\`\`\n${link}\n\`\`\`\n\`\`\`\``,
  'inline code': (link) => `Write \`${link}\` instead.`,
  'inline code that begins a comment': (link) => `Write \`<!-- ${link}\` to begin a comment.`,
  'comment': (link) => `<!-- ${link} -->`,
  'comment over lines': (link) => `<!--\n${link}\n-->`,
  '`<pre>`': (link) => `<pre>\n${link}\n</pre>`,
  '`<script>`': (_, target, begin, end) => `<script type="text/plain">\nvar ${begin} = "${target}"; // ${end}\n</script>`,
  '`<textarea>`': (link) => `<textarea>\n${link}\n</textarea>`,
  'quoted prose': (_, target, begin, end) => `Search for ${begin} "${target}" ${end}.`,
  'unused definition': (_, target, begin, end) => `[${begin} ${end}]: ${target}`,
};

/** Contexts of one generator. @type {[generator: RegExp, contexts: Record<string, Context>][]} */
const special = [
  // Python-Markdown has no such fence.
  [/Hugo|mdBook|MyST|VitePress/u, { 'fence, its info line with backticks': (link) => `~~~ a \`\`\` b\n${link}\n~~~` }],
  [/Hugo/u, { 'escaped shortcode': (_, target, begin, end) => `{{</* ${begin} "${target}" ${end} */>}}` }],
  [/MyST/u, { 'comment of MyST': (link) => `% ${link}` }],
];

/** @type {Record<string, Context>} */
const restructured = {
  'literal block': (link) => `Look-alike::\n\n   ${link}`,
  'code block': (link) => `.. code-block:: none\n\n   ${link}`,
  'raw text of another format': (link) => `.. raw:: latex\n\n   ${link}`,
  'inline literal': (link) => `Write \`\`see ${link}\`\` instead.`,
  'comment': (link) => `.. Look-alike: ${link}`,
  'comment over lines': (link) => `..\n   Look-alike.\n\n   ${link}`,
  'doctest block': (link) => `>>> "${link}"`,
  'quoted prose': (_, target, begin, end) => `Search for ${begin} "${target}" ${end}.`,
  'unused definition': (_, target, begin, end) => `.. _${begin} ${end}: ${target}`,
};

export const titles = ['links', 'fixed', 'not fixed', 'not shown', 'wrong edits', 'of the theme', 'shown', 'look-alikes', 'no links', 'edited', 'bytes changed', 'reported as certain'];
export const kindTitles = ['context', 'not edited', 'edited', 'edited for the theme', 'reported as certain', 'a link'];
export const usualFaults = 100;

/** The share of faults with a look-alike in each context. */
const ALL = 0.25;

/** @param {string} file */
const isMarkdown = (file) => /\.(?:md|markdown)$/u.test(file);

/** @param {string} file */
const isPage = (file) => isMarkdown(file) || /\.(?:rst|txt)$/u.test(file);

/**
 * Returns the contexts of a source.
 *
 * @param {Recipe} recipe
 * @param {string} file
 */
function contextsOf({ generator }, file) {
  if (!isMarkdown(file)) return Object.entries(restructured);
  return Object.entries(Object.assign({}, markdown, ...special.map(([name, contexts]) => (name.test(generator) ? contexts : {}))));
}

/**
 * Returns the two locations of a source where text of its own can be: after the first title, and at the end.
 *
 * @param {string} app
 * @param {string} file
 */
function openings(app, file) {
  const text = readFileSync(join(app, file), 'utf8');
  const [front = ''] = text.match(/^(?:---\n[^]*?\n---\n|\+\+\+\n[^]*?\n\+\+\+\n)/u) ?? [];
  const title = isMarkdown(file) ? /^# .+\n/mu : /(?<=(?:^|\n)\S.*\n)([=~^"*#+-])\1{2,}[ \t]*\n/u;
  const found = text.slice(front.length).match(title);
  const end = Buffer.byteLength(text);
  return [found?.index === undefined ? end : Buffer.byteLength(text.slice(0, front.length + found.index + found[0].length)), end];
}

/**
 * Returns the sources that have a page of their own, with the page. A build with a word in each source shows them.
 *
 * @param {Recipe} recipe
 * @returns {Pages}
 */
function pagesOf(recipe) {
  const kept = built(recipe, 'pages', true, (copy, app) => {
    const files = filesOf(app, recipe.plant).filter(isPage);
    plant(copy, files.map((file, number) => change(file, openings(app, file)[1] ?? 0, `\n\nlookalike${number}begin\n`)));
    writeFileSync(join(copy, 'files.json'), JSON.stringify(files));
  });
  /** @type {string[]} */
  const files = JSON.parse(readFileSync(join(kept, 'files.json'), 'utf8'));
  const site = join(kept, recipe.export);
  return filesOf(site, ['\\.html$']).flatMap((page) => {
    const numbers = new Set([...readFileSync(join(site, page), 'utf8').matchAll(/lookalike(\d+)begin/gu)].map(([, number]) => Number(number)));
    const file = files[[...numbers][0] ?? -1];
    // Lists and print pages have several.
    return file !== undefined && numbers.size === 1 ? [{ page, file }] : [];
  });
}

/** @param {string} file @param {number} start @param {string} damaged */
const change = (file, start, damaged) => ({ file, start, at: 0, line: 0, column: 0, original: '', damaged });

/**
 * Damages links of exported pages, as links of a theme.
 *
 * @param {Pages} pages
 * @param {string} app
 * @param {string} site
 * @param {{ count: number, roll: () => number }} options
 * @returns {ThemeLink[]}
 */
function themeLinks(pages, app, site, { count, roll }) {
  /** @type {Map<string, ThemeLink>} */
  const chosen = new Map();
  for (let tries = 0; tries < 40 * count && chosen.size < count; tries += 1) {
    const { page, file } = pick(pages, roll) ?? { page: '', file: '' };
    const links = [...readFileSync(join(site, page), 'utf8').matchAll(/<a\b[^<>]*?\shref="([^"&{}]+)"/gu)].map(([, href = '']) => href);
    const original = pick(links, roll) ?? '';
    const damaged = pick(Object.values(answerable), roll)?.(original, roll) ?? original;
    if (damaged === original || chosen.has(damaged) || readFileSync(join(app, file), 'utf8').includes(damaged)) continue;
    chosen.set(damaged, { page, file, original, damaged });
  }
  return [...chosen.values()];
}

/**
 * Returns look-alikes of texts, in the same source: one of each text, or one in each context.
 *
 * @param {Recipe} recipe
 * @param {string} app
 * @param {{ file: string, damaged: string }[]} texts
 * @param {() => number} roll
 */
export function lookAlikesOf(recipe, app, texts, roll) {
  /** @type {LookAlike[]} */
  const lookAlikes = [];
  for (const text of texts) {
    const { file, damaged } = text;
    const contexts = contextsOf(recipe, file);
    const start = pick(openings(app, file), roll) ?? 0;
    const one = pick(contexts, roll);
    for (const [context, write] of roll() < ALL ? contexts : one ? [one] : []) {
      const number = lookAlikes.length;
      const [begin, end] = [`lookalike${number}begin`, `lookalike${number}end`];
      const link = isMarkdown(file) ? `[${begin}](${damaged}) ${end}` : `\`${begin} <${damaged}>\`__ ${end}`;
      lookAlikes.push({ ...change(file, start, `\n\n${write(link, damaged, begin, end)}\n\n`), context, number, isOfTheme: 'page' in text });
    }
  }
  return lookAlikes;
}

/**
 * Selects faults and their look-alikes.
 *
 * @param {Recipe} recipe
 * @param {Pages} pages
 * @param {string} app
 * @param {import('./project.mjs').Report} intact
 * @param {string} site
 * @param {{ count: number, seed: number }} options
 * @returns {Saved}
 */
function chooseAll(recipe, pages, app, intact, site, { count, seed }) {
  const roll = dice(seed);
  const half = Math.ceil(count / 2);
  const own = choose(recipe, app, intact, { count: half, seed }).filter(({ file, kind }) => kind in answerable && isPage(file));
  const theme = themeLinks(pages, app, site, { count: half, roll });
  return { own, theme, lookAlikes: lookAlikesOf(recipe, app, [...own, ...theme], roll) };
}

/**
 * Returns the numbers of the look-alikes that are links on a page.
 *
 * @param {string} site
 */
export function renderedLinks(site) {
  /** @type {Set<number>} */
  const links = new Set();
  for (const page of filesOf(site, ['\\.html$'])) {
    const text = readFileSync(join(site, page), 'utf8').replaceAll(/<!--[^]*?-->/gu, '');
    for (const { 1: number, 2: inner = '', index } of text.matchAll(/lookalike(\d+)begin([^]{0,400}?)lookalike\1end/gu)) {
      if (/<a\b/u.test(inner) || /<a\b[^<>]*>(?:<(?!\/?a\b)[^<>]*>)*$/u.test(text.slice(Math.max(0, index - 400), index))) links.add(Number(number));
    }
  }
  return links;
}

/**
 * Fixes a project with look-alikes, and judges them.
 *
 * @param {import('./main.mjs').Lab} lab
 * @param {Recipe} recipe
 * @param {number} seed
 */
export function measure(lab, recipe, seed) {
  const pages = pagesOf(recipe);
  const proposal = proposed(
    lab,
    recipe,
    `look-alikes-${seed}-${lab.faults}`,
    (app, intact, site) => {
      const saved = chooseAll(recipe, pages, app, intact, site, { count: lab.faults, seed });
      return { saved, changes: [...saved.own, ...saved.lookAlikes] };
    },
    (copy, { theme }) => {
      for (const { page, damaged } of theme) {
        const path = join(copy, recipe.export, page);
        writeFileSync(path, readFileSync(path, 'utf8').replace(/(?=<\/body>|$)/u, () => `<nav><a href="${damaged}">theme</a></nav>`));
      }
    },
  );
  const { own, theme, lookAlikes } = proposal.saved;
  const links = renderedLinks(join(proposal.work, recipe.export));
  const judged = judge(own, proposal);
  show(judged, [...own, ...lookAlikes], proposal, lab.isShown);
  const shownTheme = theme.filter(({ page, damaged }) => proposal.fresh.some(({ file, url }) => file === page && url === damaged));
  const real = lookAlikes.filter(({ number }) => !links.has(number));
  const edits = [...proposal.edits.values()];
  const edited = real.map((one) => ({ one, edits: edits.filter((edit) => touches(edit, one)) })).filter((pair) => pair.edits.length > 0);
  for (const pair of edited) for (const edit of pair.edits) console.log(`  edited: ${pair.one.context}${pair.one.isOfTheme ? ' (theme)' : ''}: ${edit.file}:${pair.one.line} \`${edit.old}\` → \`${edit.new}\``);
  const certain = real.filter((one) => proposal.fresh.some(({ source }) => source?.certain && isWithin(source, one)));
  for (const one of certain.filter((each) => !edited.some((pair) => pair.one === each))) console.log(`  reported as certain: ${one.context}${one.isOfTheme ? ' (theme)' : ''}: ${one.file}:${one.line}`);
  verifyWritten(lab, recipe, proposal);
  /** @param {string} verdict */
  const count = (verdict) => judged.filter(([, given]) => given === verdict).length;
  const bytes = edited.flatMap((pair) => pair.edits).reduce((sum, { old, new: text }) => sum + Math.max(Buffer.byteLength(old), Buffer.byteLength(text)), 0);
  const verdicts = [count('fixed'), count('missed'), count('hidden'), count('wrong')];
  const kinds = lookAlikes.flatMap((one) => {
    const isEdited = edited.some((pair) => pair.one === one);
    /** @type {[string, string][]} */
    const given = [[one.context, links.has(one.number) ? 'a link' : isEdited ? (one.isOfTheme ? 'edited for the theme' : 'edited') : 'not edited']];
    return certain.includes(one) ? [...given, /** @type {[string, string]} */ ([one.context, 'reported as certain'])] : given;
  });
  const row = [recipe.generator, seed, own.length, ...verdicts, theme.length, shownTheme.length, lookAlikes.length, real.length, edited.length, bytes, certain.length];
  return { rows: [row], failures: count('wrong') + edited.length + certain.length, kinds };
}

/** Whether a line is in a look-alike. @param {{ file: string, line: number }} place @param {LookAlike} one */
const isWithin = ({ file, line }, one) => file === one.file && line >= one.line && line < one.line + one.damaged.split('\n').length - 1;
