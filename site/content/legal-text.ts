// Reads a legal text from Markdown: front matter, an introduction, and clauses with stable anchors.
import { marked } from 'marked';
import { cache, claims, prompt, promptCost, routing } from './figures.ts';
import { money } from './money.ts';
import type { Settings } from './types.ts';

/** A numbered clause as it is shown. */
export interface Clause {
  readonly anchor: string;
  /** Number and title, such as "1. Who we are". */
  readonly heading: string;
  readonly html: string;
}

/** A whole legal text. */
export interface LegalText {
  readonly title: string;
  readonly description: string;
  readonly updated: { readonly iso: string; readonly text: string };
  readonly intro: string;
  readonly clauses: readonly Clause[];
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** 2024-09-11 as "11 September 2024", without asking the machine for its locale. */
function longDate(iso: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso) ?? [];
  const name = months[Number(month) - 1];
  if (year === undefined || name === undefined) throw new Error(`"updated: ${iso}" is not a date like 2024-09-11`);
  return `${Number(day)} ${name} ${year}`;
}

function placeholders(settings: Settings): Readonly<Record<string, string>> {
  const { name, origin, email } = settings;
  return {
    name,
    origin,
    'email.team': email.team,
    'email.legal': email.legal,
    'email.privacy': email.privacy,
    'claims.savings': claims.savings.toLowerCase(),
    'claims.setup': claims.setup.replace(/s$/, ''),
    'claims.loss': claims.loss,
    'prompt.typical': prompt.typical,
    'prompt.wellWritten': prompt.wellWritten,
    'prompt.before': String(prompt.before),
    'prompt.after': String(prompt.after),
    'prompt.costBefore': money(promptCost.before),
    'prompt.costAfter': money(promptCost.after),
    'cache.first': money(cache.first.dollars),
    'cache.similar': money(cache.similar.dollars),
    'cache.slow': `${cache.first.seconds} s`,
    'cache.fast': `${cache.similar.seconds} s`,
    'cache.month': cache.hitRate.month,
    'cache.repetitive': cache.hitRate.repetitive,
    'routing.small': money(routing.small),
    'routing.midsize': money(routing.midsize),
    'routing.large': money(routing.large),
    'routing.savings': routing.savings,
  };
}

/** Fills placeholders in finished HTML; an address in running text becomes a mail link, one inside a link stays bare. */
function fill(html: string, settings: Settings): string {
  const values = placeholders(settings);
  const value = (key: string): string => {
    const found = values[key];
    if (found === undefined) throw new Error(`{{${key}}} is not a placeholder; known are ${Object.keys(values).join(', ')}`);
    return escapeHtml(found);
  };
  let insideLink = false;
  return html
    .split(/(<[^>]*>)/)
    .map((piece) => {
      if (piece.startsWith('<')) {
        if (/^<a\b/.test(piece)) insideLink = true;
        if (piece.startsWith('</a')) insideLink = false;
        return piece.replace(/(?:\{\{|%7B%7B)([\w.]+)(?:\}\}|%7D%7D)/g, (_, key: string) => value(key));
      }
      return piece.replace(/\{\{([^{}]*)\}\}/g, (_, key: string) =>
        key.startsWith('email.') && !insideLink ? `<a href="mailto:${value(key)}">${value(key)}</a>` : value(key),
      );
    })
    .join('');
}

/** The target of a link in a printed text: the number of a clause, or a URL. The text of a mail link already shows its address. */
function withAddresses(html: string, anchors: readonly string[], origin: string): string {
  return html.replace(/<a href="([^"]*)"/g, (link, href: string) => {
    if (href.startsWith('mailto:')) return link;
    const address = href.startsWith('#') ? `§ ${anchors.indexOf(href.slice(1)) + 1}` : new URL(href, origin).href.replace(/^https?:\/\//, '');
    return `${link} data-address="${escapeHtml(address)}"`;
  });
}

/** The attribute of a place that can be cited, and the link to it. */
const cite = (id: string, number: string): string => ` id="${id}"><a class="cite" href="#${id}">${number}</a> `;

/** Numbers the paragraphs of a clause as 4.1 and the items of their lists as (a). Each number is a link to its own place. */
function withNumbers(html: string, clause: number): string {
  let paragraph = 0;
  let item = 0;
  return html.replace(/<(p|ul|\/ul|li)>/g, (tag, name: string) => {
    if (name === 'ul') item = 0;
    if (name === 'ul' || name === '/ul') return tag.replace('ul', 'ol');
    if (name === 'p') return `<p${cite(`${clause}.${++paragraph}`, `${clause}.${paragraph}`)}`;
    const letter = String.fromCharCode(97 + item++);
    return `<li${cite(`${clause}.${paragraph}.${letter}`, `(${letter})`)}`;
  });
}

function frontMatter(source: string): { readonly fields: ReadonlyMap<string, string>; readonly body: string } {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source);
  if (match === null) throw new Error('it does not open with front matter between two --- lines');
  const fields = new Map((match[1] ?? '').split('\n').map((line) => {
    const [key = '', ...rest] = line.split(':');
    return [key.trim(), rest.join(':').trim().replace(/^(["'])(.*)\1$/, '$2')] as const;
  }));
  return { fields, body: match[2] ?? '' };
}

/**
 * Parses a legal text.
 *
 * @param name - File name, for errors.
 * @param source - The Markdown.
 * @throws When front matter, anchors or placeholders are not as they must be.
 */
export function readLegalText(name: string, source: string, settings: Settings): LegalText {
  try {
    const { fields, body } = frontMatter(source.replaceAll('\r\n', '\n'));
    const field = (key: string): string => {
      const value = fields.get(key);
      if (value === undefined || value === '') throw new Error(`its front matter lacks "${key}"`);
      return value;
    };
    const plain = (key: string): string => field(key).replace(/\{\{([\w.]+)\}\}/g, (_, placeholder: string) => placeholders(settings)[placeholder] ?? '');
    const [intro = '', ...parts] = body.split(/^## /m);
    const known = parts.map((part) => /\{#([a-z][a-z0-9-]*)\}/.exec(part)?.[1] ?? '');
    const render = (markdown: string): string => withAddresses(fill(marked.parse(markdown, { async: false }).trim(), settings), known, settings.origin);
    const anchors = new Set<string>();
    const clauses = parts.map((part, index): Clause => {
      const [line = '', ...rest] = part.split('\n');
      const [, title, anchor] = /^(.+?)\s*\{#([a-z][a-z0-9-]*)\}\s*$/.exec(line) ?? [];
      if (title === undefined || anchor === undefined) throw new Error(`clause "${line}" lacks an anchor like {#stable-anchor}`);
      if (anchors.has(anchor)) throw new Error(`anchor #${anchor} stands twice`);
      anchors.add(anchor);
      return { anchor, heading: `${index + 1}. ${title}`, html: withNumbers(render(rest.join('\n')), index + 1) };
    });
    const iso = field('updated');
    return { title: plain('title'), description: plain('description'), updated: { iso, text: longDate(iso) }, intro: render(intro), clauses };
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
