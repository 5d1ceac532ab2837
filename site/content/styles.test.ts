// Tests the style sheets: every size of text is from the one scale, and every token is used.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { colors, declarations, themed } from '#styles/tokens.ts';

const site = fileURLToPath(new URL('..', import.meta.url));
const sheets = ['components', 'layouts', 'styles'].flatMap((folder) =>
  readdirSync(site + folder)
    .filter((name) => name.endsWith('.css'))
    .map((name) => ({ name, text: readFileSync(`${site}${folder}/${name}`, 'utf8') })),
);

test('every size of text outside of print is a token of the scale', () => {
  const own = sheets.flatMap(({ name, text }) => {
    const screen = text.replaceAll(/@media print \{[^]*?\n {2}\}\n|@page \{[^]*?\n {2}\}\n/g, '');
    const sizes = [...screen.matchAll(/font-size: ([^;]+);|font: \d+ ([^/;]+) \//g)].map(([, size = '', short = '']) => size + short);
    // The root is the base of the scale; code in text follows its text.
    return sizes.filter((size) => !size.includes('var(--size-') && !(name === 'site.css' && /^clamp\(1\.0625rem|^0\.875em$/.test(size))).map((size) => `${name}: ${size}`);
  });
  expect(own).toEqual([]);
});

test('every class that a component names is in its style sheet', () => {
  const missing = ['components', 'layouts'].flatMap((folder) =>
    readdirSync(site + folder).filter((name) => name.endsWith('.tsx')).flatMap((name) => {
      const text = readFileSync(`${site}${folder}/${name}`, 'utf8');
      return [...text.matchAll(/import (\w+) from '(?:\.|#components)\/(\w+\.module\.css)'/g)].flatMap(([, styles = '', sheet]) => {
        const css = sheets.find((one) => one.name === sheet)?.text ?? '';
        return [...text.matchAll(new RegExp(`\\b${styles}\\.(?!module|tsx?\\b)(\\w+)`, 'g'))].map(([, used = '']) => used).filter((used) => !new RegExp(`\\.${used}\\b`).test(css)).map((used) => `${name}: ${styles}.${used}`);
      });
    }),
  );
  expect(missing).toEqual([]);
});

test('every token is used', () => {
  const all = sheets.map(({ text }) => text).join('\n');
  const tokens = [...new Set([...`${all}\n${declarations('colors').replaceAll(/^/gm, '    ')}`.matchAll(/^ {4}(--[a-z0-9-]+):/gm)].map(([, token = '']) => token))];
  expect(tokens.length).toBeGreaterThan(30);
  expect(tokens.filter((token) => !all.includes(`var(${token})`) && !all.includes(`var(${token},`))).toEqual([]);
});

test('what hovering changes is only for pointers that hover, so that nothing stays after a tap', () => {
  const stuck = sheets.flatMap(({ name, text }) => {
    // The selectors and conditions around each position of the sheet.
    const around: string[] = [];
    return [...text.replaceAll(/\/\*[^]*?\*\//g, '').matchAll(/([^{};]*)([{};])/g)].flatMap(([, head = '', end]) => {
      if (end === '}') around.pop();
      if (end !== '{') return [];
      around.push(head.trim());
      return head.includes(':hover') && !around.includes('@media (hover: hover)') ? [`${name}: ${head.trim()}`] : [];
    });
  });
  expect(sheets.some(({ text }) => text.includes(':hover'))).toBe(true);
  expect(stuck).toEqual([]);
});

test('colors are only in tokens.ts, but for black and white in print and masks', () => {
  const others = ['renderer', 'components', 'layouts', 'pages/interactive'].flatMap((folder) =>
    readdirSync(site + folder)
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => ({ name, text: readFileSync(`${site}${folder}/${name}`, 'utf8') })),
  );
  const found = [...sheets, ...others].flatMap(({ name, text }) =>
    [...text.matchAll(/(?<!&)#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b(?![\w%-])|rgba?\([^)]*\)/gi)].map(([color]) => color).filter((color) => !/^#(?:0000?|fff|3a3a3a)$/.test(color)).map((color) => `${name}: ${color}`),
  );
  expect(found).toEqual([]);
  expect(Object.keys({ ...colors, ...themed }).length).toBeGreaterThan(15);
});
