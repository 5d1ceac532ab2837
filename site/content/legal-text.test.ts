// Reading legal texts: numbering, anchors, dates, placeholders, and the errors that stop a bad text.
import { expect, test } from 'vitest';
import { readLegalText } from './legal-text.ts';
import settings from './site.json' with { type: 'json' };

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
  expect(text.description).toBe(`For ${settings.name}.`);
});

test('fills placeholders; an address in text becomes a mail link, one in a link does not', () => {
  const text = read('{{name}} at {{origin}}, {{email.legal}}, [write](mailto:{{email.team}}), [{{email.privacy}}](mailto:{{email.privacy}})');
  expect(text.intro).toBe(
    '<p>Tokenthrift at https://www.example.com, <a href="mailto:legal@example.com">legal@example.com</a>, <a href="mailto:team@example.com">write</a>, <a href="mailto:privacy@example.com">privacy@example.com</a></p>',
  );
});

test('refuses a text that is not as it must be, and says which', () => {
  expect(() => read('{{owner}}')).toThrow('terms.md: {{owner}} is not a placeholder');
  expect(() => read('## No anchor\n\nText.')).toThrow('lacks an anchor');
  expect(() => read('## A {#a}\n\nx\n\n## B {#a}\n\ny')).toThrow('#a stands twice');
  expect(() => readLegalText('x.md', 'no front matter', settings)).toThrow('x.md: it does not open with front matter');
});
