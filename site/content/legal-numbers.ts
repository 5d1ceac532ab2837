// Renders the Markdown of a legal text, with numbers to cite: 4.1 for a paragraph, (a) for an item of its list, and (i) below that.
import { Parser, Renderer, type Token, type Tokens } from 'marked';
import { frame } from './pages/frame.ts';

const renderer = new Renderer();
const plainLink = renderer.link.bind(renderer);
/** A link to another site opens a new tab, and says so, like the links to the demo. */
renderer.link = (link) => {
  const html = plainLink(link);
  return /^https?:/i.test(link.href) ? html.replace(/^<a (.*)<\/a>$/s, `<a $1<span class="visually-hidden">${frame.newTab}</span></a>`).replace(/^<a href="[^"]*"/, '$& target="_blank" rel="noopener"') : html;
};

/** Renders tokens without numbers. */
export function withoutNumbers(tokens: Token[]): string {
  // The default renderer gets its parser when it parses.
  return Parser.parse(tokens, { renderer });
}

/** 0 as a, 25 as z, 26 as aa. */
function letters(index: number): string {
  const last = String.fromCharCode(97 + (index % 26));
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last;
}

const romans = [[100, 'c'], [90, 'xc'], [50, 'l'], [40, 'xl'], [10, 'x'], [9, 'ix'], [5, 'v'], [4, 'iv'], [1, 'i']] as const;

/** 0 as i, 3 as iv. */
function roman(index: number): string {
  let left = index + 1;
  return romans.map(([value, digits]) => {
    const times = Math.floor(left / value);
    left %= value;
    return digits.repeat(times);
  }).join('');
}

/** The labels of items by the depth of their list. */
const labels = [letters, roman];

/** The attribute of a place that can be cited, and the link to it. */
const cite = (id: string, number: string): string => ` id="${id}"><a class="cite" href="#${id}">${number}</a> `;

/** Renders a list below a place. */
function list({ items }: Tokens.List, place: string, depth = 0): string {
  const label = labels[depth];
  if (label === undefined) throw new Error('lists are nested too deeply: only two levels have numbers');
  const rendered = items.map(({ tokens }, index) => {
    const number = label(index);
    const id = `${place}.${number}`;
    const isOnly = tokens.filter(({ type }) => type === 'paragraph').length === 1;
    const parts = tokens.map((token) => {
      if (token.type === 'list') return list(token as Tokens.List, id, depth + 1);
      // An empty line between items makes their text a paragraph.
      return token.type === 'paragraph' && isOnly ? Parser.parseInline(token.tokens ?? [], { renderer }) : withoutNumbers([token]);
    });
    return `<li${cite(id, `(${number})`)}${parts.join('')}</li>\n`;
  });
  return `<ol>\n${rendered.join('')}</ol>\n`;
}

/** Renders the tokens of a clause. `fail` receives the token and the reason if a token can have no numbers. */
export function withNumbers(tokens: readonly Token[], clause: number, fail: (token: Token, reason: string) => void): string {
  let paragraph = 0;
  const render = (token: Token): string => {
    if (token.type === 'list') return list(token as Tokens.List, `${clause}.${paragraph}`);
    if (token.type !== 'paragraph') return withoutNumbers([token]);
    const number = `${clause}.${++paragraph}`;
    return `<p${cite(number, number)}${Parser.parseInline(token.tokens ?? [], { renderer })}</p>\n`;
  };
  return tokens.map((token) => {
    try {
      return render(token);
    } catch (error) {
      fail(token, error instanceof Error ? error.message : String(error));
      return '';
    }
  }).join('');
}
