// Reads a legal text from Markdown: front matter, an introduction, and clauses with stable anchors.
import { lexer, type Token } from 'marked';
import { cache, claims, prompt, promptCost, routing } from './figures.ts';
import { withNumbers, withoutNumbers } from './legal-numbers.ts';
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
function longDate(iso: string): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso) ?? [];
  const name = months[Number(month) - 1];
  return year === undefined || name === undefined ? undefined : `${Number(day)} ${name} ${year}`;
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
  const value = (key: string): string => escapeHtml(values[key] ?? '');
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
  return html.replace(/<a href="([^"]*)"/g, (link, escaped: string) => {
    const href = escaped.replaceAll('&amp;', '&');
    if (href.startsWith('mailto:')) return link;
    if (!URL.canParse(href, origin)) return link;
    const address = href.startsWith('#') ? `§ ${anchors.indexOf(href.slice(1)) + 1}` : new URL(href, origin).href.replace(/^https?:\/\//, '');
    return `${link} data-address="${escapeHtml(address)}"`;
  });
}

interface FrontMatter {
  /** The fields, each with its line. */
  readonly fields: ReadonlyMap<string, { readonly value: string; readonly line: number }>;
  readonly body: string;
  /** The first line of the body. */
  readonly line: number;
}

function frontMatter(source: string): FrontMatter | undefined {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  if (head === undefined || body === undefined) return undefined;
  const lines = head.split('\n');
  const fields = lines.map((line, index) => {
    const [key = '', ...rest] = line.split(':');
    return [key.trim(), { value: rest.join(':').trim().replace(/^(["'])(.*)\1$/, '$2'), line: index + 2 }] as const;
  });
  return { fields: new Map(fields), body, line: lines.length + 3 };
}

/** Reports unknown placeholders, and those with one brace only. */
function checkPlaceholders(source: string, known: ReadonlySet<string>, report: (line: number, reason: string) => void): void {
  // Named once: the list is long.
  let all = `; known are ${[...known].join(', ')}`;
  for (const [index, line] of source.split('\n').entries()) {
    for (const [whole, inner = ''] of line.matchAll(/\{+([^{}#]*)\}+/g)) {
      if (whole === `{{${inner}}}` && !known.has(inner)) {
        report(index + 1, `${whole} is not a placeholder${all}`);
        all = '';
      }
      if (whole !== `{{${inner}}}` && known.has(inner.trim())) report(index + 1, `write {{${inner.trim()}}}, not ${whole}`);
    }
  }
}

interface Part {
  /** The text of the heading. The introduction has none. */
  readonly heading: string;
  readonly line: number;
  readonly tokens: Token[];
  /** The line of each token. */
  readonly lines: Map<Token, number>;
}

/** The introduction, and each clause. */
function partsOf({ body, line: first }: FrontMatter): Part[] {
  let part: Part = { heading: '', line: first, tokens: [], lines: new Map() };
  const parts = [part];
  let line = first;
  for (const token of lexer(body)) {
    if (token.type === 'heading' && token['depth'] === 2) {
      part = { heading: String(token['text']), line, tokens: [], lines: new Map() };
      parts.push(part);
    } else {
      part.tokens.push(token);
      part.lines.set(token, line);
    }
    line += token.raw.split('\n').length - 1;
  }
  return parts;
}

/**
 * Parses a legal text.
 *
 * @param name - File name, for errors.
 * @param markdown - The text.
 * @throws When front matter, anchors, placeholders or lists are not as they must be: an error with the line of each fault.
 */
export function readLegalText(name: string, markdown: string, settings: Settings): LegalText {
  const faults: { readonly line: number; readonly reason: string }[] = [];
  const report = (line: number, reason: string) => void faults.push({ line, reason });
  const source = markdown.replaceAll('\r\n', '\n');
  const front: FrontMatter = frontMatter(source) ?? { fields: new Map(), body: source, line: 1 };
  const field = (key: string) => {
    const found = front.fields.get(key);
    if (found === undefined || found.value === '') report(1, `there is no "${key}" between two --- lines at the start`);
    return found ?? { value: '', line: 1 };
  };
  const values = placeholders(settings);
  checkPlaceholders(source, new Set(Object.keys(values)), report);
  const plain = (key: string): string => field(key).value.replace(/\{\{([\w.]+)\}\}/g, (_, placeholder: string) => values[placeholder] ?? '');

  const [intro, ...parts] = partsOf(front);
  const known = parts.map(({ heading }) => /\{#([a-z][a-z0-9-]*)\}$/.exec(heading)?.[1] ?? '');
  const finish = (html: string): string => withAddresses(fill(html.trim(), settings), known, settings.origin);
  const clauses = parts.map(({ heading, line, tokens, lines }, index): Clause => {
    const [, title, anchor = ''] = /^(.+?)\s*\{#([a-z][a-z0-9-]*)\}$/.exec(heading) ?? [];
    if (title === undefined) report(line, `the clause "${heading}" lacks an anchor like {#stable-anchor}`);
    else if (known.indexOf(anchor) < index) report(line, `the anchor #${anchor} is there twice`);
    const html = withNumbers(tokens, index + 1, (token, reason) => report(lines.get(token) ?? line, reason));
    return { anchor, heading: `${index + 1}. ${title}`, html: finish(html) };
  });
  const updated = field('updated');
  const text = longDate(updated.value);
  if (text === undefined) report(updated.line, `"updated: ${updated.value}" is not a date like 2024-09-11`);
  const read = { title: plain('title'), description: plain('description'), updated: { iso: updated.value, text: text ?? '' }, intro: finish(withoutNumbers(intro?.tokens ?? [])), clauses };
  const sorted = faults.toSorted((a, b) => a.line - b.line).map(({ line, reason }) => `site/content/${name}:${line}: ${reason}`);
  if (sorted.length > 0) throw new Error(`The legal texts cannot be used:\n  ${sorted.join('\n  ')}`);
  return read;
}
