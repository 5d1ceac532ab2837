// Reading legal texts: numbering, anchors, dates, placeholders, and the errors that stop a bad text.
import { expect, test } from 'vitest';
import { contentError } from '../../scripts/content-error.mjs';
import { readLegalText } from './legal-text.ts';

const settings = {
  name: 'Acme',
  origin: 'https://acme.test',
  demoUrl: 'https://cal.acme.test/intro',
  email: { team: 'team@acme.test', legal: 'legal@acme.test', privacy: 'privacy@acme.test' },
  securityExpires: '2027-12-31T00:00:00.000Z',
};

const front = '---\ntitle: Terms of Use\nupdated: 2024-09-11\ndescription: For {{name}}.\n---\n';
const read = (body: string) => readLegalText('terms.md', front + body, settings);

/** The ids and the numbers of a clause. */
const numbersIn = (html = '') => [...html.matchAll(/<(?:p|li) id="([^"]+)"><a class="cite" href="#\1">([^<]+)<\/a>/g)].map(([, id, number]) => `${id} ${number}`);
const clause = (markdown: string) => read(`Hello.\n\n## A {#a}\n\n${markdown}`).clauses[0]?.html;

test('numbers clauses from their order and keeps their anchors', () => {
  const text = read('Hello.\n\n## Who we are {#who}\n\nUs.\n\n## What you do {#what}\n\n- one\n- **two**\n');
  expect(text.clauses.map(({ anchor, heading }) => [anchor, heading])).toEqual([
    ['who', '1. Who we are'],
    ['what', '2. What you do'],
  ]);
  expect(text.intro).toBe('<p>Hello.</p>');
  expect(text.clauses[1]?.html).toContain('<strong>two</strong>');
  expect(text.updated).toEqual({ iso: '2024-09-11', text: '11 September 2024' });
  expect(text.description).toBe('For Acme.');
});

test('numbers paragraphs and items, each with a link to itself', () => {
  const text = read('Hello.\n\n## A {#a}\n\nOne.\n\n## B {#b}\n\nOne:\n\n- x\n- y\n\nTwo:\n\n- z\n');
  expect(numbersIn(text.clauses[1]?.html)).toEqual(['2.1 2.1', '2.1.a (a)', '2.1.b (b)', '2.2 2.2', '2.2.a (a)']);
  expect(text.clauses[1]?.html).not.toContain('<ul>');
});

test('numbers items that are apart, nested, or more than the letters', () => {
  expect(numbersIn(clause('One:\n\n- x\n\n- y\n\nTwo.\n'))).toEqual(['1.1 1.1', '1.1.a (a)', '1.1.b (b)', '1.2 1.2']);
  expect(clause('One:\n\n- x\n\n- y\n')).not.toContain('(a)</a> <p>');
  expect(numbersIn(clause('One:\n\n- x\n  - a\n  - b\n- y\n  - c\n\nTwo.\n'))).toEqual(['1.1 1.1', '1.1.a (a)', '1.1.a.i (i)', '1.1.a.ii (ii)', '1.1.b (b)', '1.1.b.i (i)', '1.2 1.2']);
  const many = numbersIn(clause(`One:\n\n${Array.from({ length: 54 }, (_, index) => `- item ${index}\n`).join('')}`));
  expect([many[26], many[27], many[52], many[53]]).toEqual(['1.1.z (z)', '1.1.aa (aa)', '1.1.az (az)', '1.1.ba (ba)']);
  expect(new Set(many).size).toBe(55);
  expect(numbersIn(clause('1. x\n   1. a\n   2. b\n   3. c\n   4. d\n')).at(-1)).toBe('1.0.a.iv (iv)');
});

test('numbers the paragraphs of a clause only, not those of quotations and items', () => {
  expect(numbersIn(clause('One.\n\n> Quoted.\n\n- x\n\n  More about x.\n\nTwo.\n'))).toEqual(['1.1 1.1', '1.1.a (a)', '1.2 1.2']);
});

test('opens links to other sites in a new tab, as the contract requires, and prints their addresses once escaped', () => {
  const html = read('[the form](https://forms.test/?a=1&b=2), [us](/terms), [there](#a)\n\n## A {#a}\n\nx').intro;
  expect(html).toContain('<a href="https://forms.test/?a=1&amp;b=2" data-address="forms.test/?a=1&amp;b=2" target="_blank" rel="noopener">the form<span class="visually-hidden"> (opens in a new tab)</span></a>');
  expect(html.match(/_blank/g)).toHaveLength(1);
});

test('fills placeholders; an address in text becomes a mail link, one in a link does not', () => {
  const text = read('{{name}} at {{origin}}, {{email.legal}}, [write](mailto:{{email.team}}), [{{email.privacy}}](mailto:{{email.privacy}})');
  expect(text.intro).toBe(
    '<p>Acme at https://acme.test, <a href="mailto:legal@acme.test">legal@acme.test</a>, <a href="mailto:team@acme.test">write</a>, <a href="mailto:privacy@acme.test">privacy@acme.test</a></p>',
  );
});

test('fills the claims of the service', () => {
  expect(read('Savings of {{claims.savings}}, a {{claims.setup}} setup, {{claims.loss}} loss.').intro).toContain('Savings of up to 40%, a 2 minute setup, 0% loss.');
});

/** A fault in a line. */
const at = (line: number, reason: string) => expect.stringMatching(new RegExp(`^site/content/terms\\.md:${line}: .*${reason}`));

test('refuses a text that is not as it must be, and names file and line of each fault', () => {
  const faults = (text: string) => {
    try {
      readLegalText('terms.md', text, settings);
    } catch (error) {
      return String(error).split('\n  ').slice(1);
    }
    return [];
  };
  expect(faults(`${front}Hi.\n\n{{owner}} and {email.team}, {{{name}}}\n`)).toEqual([at(8, 'owner.* is not a placeholder'), at(8, 'write {{email.team}}, not {email.team}'), at(8, 'write {{name}}')]);
  expect(faults(`${front}\n## No anchor\n\nText.\n\n## A {#a}\n\nx\n\n## B {#a}\n\ny`)).toEqual([at(7, 'lacks an anchor'), at(15, '#a is there twice')]);
  expect(faults(`${front}\n## A {#a}\n\nOne:\n\n- x\n  - y\n    - z\n`)).toEqual([at(11, 'nested too deeply')]);
  expect(faults(front.replace('2024-09-11', 'today'))).toEqual([at(3, 'is not a date')]);
  expect(faults('no front matter')).toContainEqual(at(1, 'no "title"'));
});

test('a build prints only the faults of a text', () => {
  const build = (text: string) => {
    try {
      readLegalText('terms.md', text, settings);
    } catch (error) {
      return `vite v8\nwarning: a dependency\n${error instanceof Error ? error.stack ?? '' : ''}\n    at more\n`;
    }
    return '';
  };
  const printed = contentError(build(`${front}{{owner}}\n\n## A\n`))?.split('\n') ?? [];
  expect(printed.map((line) => line.slice(0, 34))).toEqual(['The legal texts cannot be used:', '  site/content/terms.md:6: {{owner', '  site/content/terms.md:8: the cla']);
});
