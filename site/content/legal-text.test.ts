// Reading legal texts: numbering, anchors, dates, placeholders, and the errors that stop a bad text.
import { expect, test } from 'vitest';
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
  const places = [...(text.clauses[1]?.html ?? '').matchAll(/<(?:p|li) id="([^"]+)"><a class="cite" href="#([^"]+)">([^<]+)<\/a>/g)].map(([, id, href, number]) => [id, href, number]);
  expect(places).toEqual(['2.1 2.1', '2.1.a (a)', '2.1.b (b)', '2.2 2.2', '2.2.a (a)'].map((place) => {
    const [id = '', number] = place.split(' ');
    return [id, id, number];
  }));
  expect(text.clauses[1]?.html).not.toContain('<ul>');
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

test('refuses a text that is not as it must be, and says which', () => {
  expect(() => read('{{owner}}')).toThrow('terms.md: {{owner}} is not a placeholder');
  expect(() => read('## No anchor\n\nText.')).toThrow('lacks an anchor');
  expect(() => read('## A {#a}\n\nx\n\n## B {#a}\n\ny')).toThrow('#a stands twice');
  expect(() => readLegalText('x.md', 'no front matter', settings)).toThrow('x.md: it does not open with front matter');
});
