// Configures the documentation site: its pages, their order, and how Markdown is read.
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { links } from './links.mjs';
import { guide, repositoryLinks, rulesSidebar, versionLink } from './navigation.mjs';
import { options } from './options.mjs';
import { llms } from './pages/llms.mjs';
import { terminal } from './terminal.mjs';

const docs = fileURLToPath(new URL('../', import.meta.url));
/** @type {{ id: string, category: string }[]} */
const rules = JSON.parse(readFileSync(new URL('generated/rules.json', import.meta.url), 'utf8'));
const ids = new Set(rules.map(({ id }) => id));

/** @type {import('./pages/program.mjs').Project} */
const project = JSON.parse(readFileSync(new URL('generated/project.json', import.meta.url), 'utf8'));

/** @param {{ link: string }} page */
const written = ({ link }) => existsSync(`${docs}${link.endsWith('/') ? `${link}index` : link}.md`);
const sidebar = guide.map(({ text, collapsed, items }) => ({ text, collapsed, items: items.filter(written) }));

/**
 * Returns the first paragraph of a page, as its description for search engines.
 *
 * @param {string} path
 */
function firstParagraph(path) {
  const body = readFileSync(`${docs}${path}`, 'utf8').replace(/^---[\s\S]*?\n---\n/, '');
  const paragraph = body.split(/\n{2,}/).find((part) => /^[A-Z`[]/.test(part)) ?? '';
  const plain = paragraph.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '').replaceAll('\n', ' ');
  return plain.match(/^.{40,}?[.:](?= |$)/)?.[0].replace(/:$/, '.') ?? plain;
}

/**
 * Returns the description of a page.
 *
 * @param {string} link
 */
function describe(link) {
  const path = `${link.slice(1)}${link.endsWith('/') ? 'index' : ''}.md`;
  const [, description] = /^description: (.+)$/m.exec(readFileSync(`${docs}${path}`, 'utf8').split('\n---\n')[0] ?? '') ?? [];
  return description?.replaceAll(/^['"]|['"]$/g, '') ?? firstParagraph(path);
}

/** Without scripts the menu of a phone cannot open, so the pages are listed below the text. */
const withoutScripts = `.VPLocalNav,.VPNavBarHamburger,.VPNavBarSearch,.VPNavBarAppearance,.VPNavScreen{display:none!important}
@media(max-width:959px){.Layout{display:flex;flex-direction:column}.VPSidebar{order:1;position:static!important;transform:none!important;opacity:1!important;visibility:visible!important;width:auto!important;max-width:none!important;padding:24px!important;box-shadow:none!important}}`;

/** The body of the not-found page: VitePress leaves it empty, for a script to fill. */
const lost = '<main class="lost vp-doc"><h1>There is no such page</h1><p>Begin at the <a href="/">home page</a>.</p></main>';

/**
 * Ranks pages in the search: first the page about a word that many know from other programs, then guides and concepts.
 * VitePress copies the source of this function into the pages.
 *
 * @param {string} section - Its page and anchor.
 * @param {string} term
 */
function boostDocument(section, term) {
  const pages = [
    { about: /^(exclude|ignore|skip)/, page: '/guides/ignores' },
    { about: /^(base|config|setting)/, page: '/guides/contract' },
    { about: /^(warning|level|severity)/, page: '/guides/contract.html#set-levels' },
  ];
  if (pages.some(({ about, page }) => about.test(term) && section.startsWith(page))) return 50;
  if (section.startsWith('/guides/migrate')) return 0.2;
  return section.startsWith('/guides/') || section.startsWith('/concepts/') ? 2 : 1;
}

export default defineConfig({
  lang: 'en',
  title: 'sitegate',
  titleTemplate: ':title | sitegate',
  description: 'The gate a static site must pass before it goes live.',
  srcExclude: ['sample/**'],
  // sitegate checks them, anchors included.
  ignoreDeadLinks: true,
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: '/mark.svg' }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
    ['noscript', {}, `<style>${withoutScripts}</style>`],
  ],
  transformPageData(data) {
    if (data.description === '' && data.relativePath !== '404.md') return { description: firstParagraph(data.filePath) };
    return undefined;
  },
  buildEnd: (/** @type {{ outDir: string }} */ { outDir }) => writeFile(join(outDir, 'llms.txt'), llms(sidebar, rules, describe)),
  transformHtml: (html, file) => (basename(file) === '404.html' ? html.replace('<div id="app"></div>', `$&${lost}`) : undefined),
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    config(md) {
      links(md, ids);
      options(md);
      terminal(md);
    },
  },
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    logo: { src: '/mark.svg', alt: '' },
    nav: [
      { text: 'Start', link: '/guides/start' },
      { text: 'Rules', link: '/rules/', activeMatch: '^/rules/' },
      { text: 'Contract', link: '/reference/contract' },
      { text: 'CI', link: '/guides/ci' },
      { text: 'Comparison', link: '/concepts/comparison' },
      versionLink(project),
    ],
    ...repositoryLinks(project),
    sidebar: { '/rules/': rulesSidebar(rules), '/': sidebar },
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boostDocument } } } },
    footer: { message: 'MIT licensed. Checked by sitegate against its own contract.' },
  },
});
