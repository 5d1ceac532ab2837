// Generates sites from a seed. The same seed gives the same bytes everywhere.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {(bound: number) => number} Random */

/**
 * Returns a generator of random numbers below a bound (mulberry32).
 *
 * @param {number} seed
 * @returns {Random}
 */
function random(seed) {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

const words = ['cache', 'prompt', 'token', 'model', 'route', 'reply', 'budget', 'window', 'request', 'answer', 'latency', 'quota', 'stream', 'batch', 'context', 'embedding'];

/**
 * @param {Random} next
 * @param {number} length
 */
const sentence = (next, length) => Array.from({ length }, () => words[next(words.length)]).join(' ');

/**
 * @param {string} title
 * @param {string} head
 * @param {string} body
 */
const page = (title, head, body) =>
  `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>${title}</title>\n<meta name="description" content="${title}, one of many">\n<link rel="icon" href="data:,">\n${head}</head>\n<body>\n${body}</body>\n</html>\n`;

/**
 * Writes the pages that `pageOf` returns for the numbers below `count`, a thousand in each folder.
 *
 * @param {string} site
 * @param {number} count
 * @param {(number: number) => string} pageOf
 */
function write(site, count, pageOf) {
  for (let section = 0; section * 1000 < count; section += 1) mkdirSync(join(site, `s${section}`), { recursive: true });
  for (let number = 0; number < count; number += 1) writeFileSync(join(site, pathOf(number)), pageOf(number));
}

/** @param {number} number */
const pathOf = (number) => `s${Math.floor(number / 1000)}/p${number % 1000}.html`;

/**
 * Writes documentation: 50,000 pages of 38 kB with 94 working links each, sections of a thousand pages, a menu and anchors.
 *
 * @param {string} site
 * @param {number} seed
 * @param {number} count
 */
export function documentation(site, seed, count = 50_000) {
  const next = random(seed);
  const sections = Math.ceil(count / 1000);
  write(site, count, (number) => {
    const menu = Array.from({ length: 60 }, (_, entry) => {
      const other = Math.floor(number / 1000) * 1000 + ((number + entry * 7) % Math.min(1000, count));
      return `<li class="menu-item"><a class="menu-link" href="p${other % 1000}.html" title="Page ${other}">${sentence(next, 3)}</a></li>\n`;
    }).join('');
    const chapters = Array.from({ length: 30 }, (_, chapter) => {
      const other = next(count);
      return `<section id="c${chapter}" class="chapter"><h2 class="title">${sentence(next, 4)}</h2>\n<p>${sentence(next, 120)} <a href="../${pathOf(other)}#c${next(30)}">${sentence(next, 2)}</a> ${sentence(next, 20)}</p></section>\n`;
    }).join('');
    const foot = `<p><a href="#c0">Top</a> <a href="../index.html">Home</a> <a href="../s${next(sections)}/p0.html">Section</a> <a href="../main.css">Style</a></p>\n`;
    return page(`Page ${number}`, '<link rel="stylesheet" href="../main.css">\n', `<nav><ul class="menu">\n${menu}</ul></nav>\n<main>\n${chapters}</main>\n${foot}`);
  });
  home(site, count);
}

/**
 * Writes many small pages of 1.9 kB with 13 working links each.
 *
 * @param {string} site
 * @param {number} seed
 * @param {number} count
 */
export function small(site, seed, count) {
  const next = random(seed);
  write(site, count, (number) => {
    const links = Array.from({ length: 11 }, () => `<li><a href="../${pathOf(next(count))}#top">${sentence(next, 2)}</a></li>\n`).join('');
    return page(`Page ${number}`, '', `<h1 id="top">Page ${number}</h1>\n<ul>\n${links}</ul>\n<p>${sentence(next, 85)}</p>\n<p><a href="../index.html">Home</a> <a href="#top">Top</a></p>\n`);
  });
  home(site, count);
}

/**
 * Writes 2,000 pages with five links each to a deleted section.
 *
 * @param {string} site
 * @param {number} seed
 * @param {number} count
 */
export function lostSection(site, seed, count = 2000) {
  const next = random(seed);
  write(site, count, (number) => {
    const links = Array.from({ length: 5 }, (_, link) => `<li><a href="../guide/${words[next(words.length)]}-${number * 5 + link}.html">${sentence(next, 2)}</a></li>\n`).join('');
    return page(`Page ${number}`, '', `<h1>Page ${number}</h1>\n<ul>\n${links}</ul>\n<p><a href="../index.html">Home</a></p>\n`);
  });
  home(site, count);
}

/**
 * Writes the style sheet, and a home page that links to the first page of each thousand. Those link to the rest.
 *
 * @param {string} site
 * @param {number} count
 */
function home(site, count) {
  const firsts = Array.from({ length: Math.ceil(count / 1000) }, (_, section) => `<li><a href="list${section}.html">Section ${section}</a></li>\n`).join('');
  writeFileSync(join(site, 'index.html'), page('Home', '', `<h1>Home</h1>\n<ul>\n${firsts}</ul>\n`));
  for (let section = 0; section * 1000 < count; section += 1) {
    const length = Math.min(1000, count - section * 1000);
    const all = Array.from({ length }, (_, entry) => `<li><a href="s${section}/p${entry}.html">Page ${entry}</a></li>\n`).join('');
    writeFileSync(join(site, `list${section}.html`), page(`Section ${section}`, '', `<h1>Section ${section}</h1>\n<ul>\n${all}</ul>\n`));
  }
  writeFileSync(join(site, 'main.css'), 'body { margin: 2rem }\n');
}
