// Tests the words of the site: dashes in ranges, and phrases that contradict its figures or are no English.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('.', import.meta.url));
const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|md)$/.test(name) && !name.endsWith('.test.ts'));

const wrong = [/\d-\d+ ?%/, /kept anew/, /\bbooked to\b|is booked'/, /put down to/, /a slip in it/, /\b(Tokens|Cost) a prompt/, /'Asked about/, /nightly/, /went away/, /strike them off/, /The aim is/];

test('ranges have en dashes, and no phrase is wrong', () => {
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.flatMap((name) => wrong.flatMap((pattern) => pattern.exec(readFileSync(folder + name, 'utf8'))?.[0] ?? []).map((found) => `${name}: ${found}`))).toEqual([]);
});

const figures = ['30–50%', '20–30%', '40–70%', '60–80%', '30–60%', '0.0294', '0.0116', '0.0002', '0.002', '0.015', '0.05', '2.3', '147'];

test('each figure is only in figures.ts', () => {
  const places = texts
    .filter((name) => name !== 'figures.ts')
    .flatMap((name) => readFileSync(folder + name, 'utf8').split('\n').map((line, index) => ({ place: `${name}:${index + 1}`, line })))
    // A comment may give an example.
    .filter(({ line }) => !/^\s*(\/\/|\/?\*)/.test(line))
    .flatMap(({ place, line }) => figures.filter((figure) => new RegExp(`(?<![\\d.])${figure.replaceAll('.', '\\.')}(?!\\d|\\.\\d)`).test(line)).map((figure) => `${place}: ${figure}`));
  expect(places).toEqual([]);
});
