// Tests the generated pages, and the facts of the project in the menu.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guide, repositoryLinks, versionLink } from '../navigation.mjs';
import { contractPage, examplesOf } from './contract.mjs';
import { llms } from './llms.mjs';
import { contractSchema, project, rules } from './program.mjs';
import type { Schema } from './types.mjs';

const examples = readFileSync(new URL('examples.toml', import.meta.url), 'utf8');

/** All keys of the contract by their tables, except the rules. */
function keys(schema: Schema, path: string[] = []): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    if (key === 'rules') return path.length === 0 ? [] : [[...path, key]];
    const table = value.properties ? value : value.items?.properties ? value.items : undefined;
    if (table) return keys(table, [...path, key]);
    if (value.additionalProperties?.properties) return keys(value.additionalProperties, [...path, key, 'NAME']);
    return [[...path, key]];
  });
}

test('every key of the contract has an anchor, a type, a default and an example', () => {
  const page = contractPage(contractSchema(), examples);
  const all = keys(contractSchema());
  expect(all.length).toBeGreaterThan(50);
  for (const path of all) {
    const [, section = ''] = page.split(`\`${path.at(-1)}\` {#${path.join('-').toLowerCase()}}\n`);
    const [own = ''] = section.split(/\n##/u);
    expect(own, path.join('.')).toMatch(/<dt>Type<\/dt><dd>\n\n(?!a value\n).+\n[\s\S]+<dt>Default<\/dt><dd>\n\n.+\n[\s\S]+```toml\n[\s\S]+```/u);
  }
});

test('a key without an example is an error', () => {
  expect(() => contractPage(contractSchema(), examples.replace(/^host = .*$/mu, ''))).toThrow('examples.toml has no example of site.host');
});

test('an example has the header of its table', () => {
  const found = examplesOf('extends = "a"\n[[assert]]\nname = "x"\n[external.hosts."a.test"]\nget = true\n');
  expect(Object.fromEntries(found)).toStrictEqual({
    extends: 'extends = "a"',
    'assert.name': '[[assert]]\nname = "x"',
    'external.hosts.NAME.get': '[external.hosts."a.test"]\nget = true',
  });
});

const manifest = (repository: string, released: boolean) => `version = "1.2.3"\nrepository = "${repository}" # checked\nreleased = ${released}\n`;

test('the menu links the repository and the version of Cargo.toml', () => {
  const real = project(manifest('https://git.test/acme/sitegate', true));
  expect(repositoryLinks(real)).toStrictEqual({
    socialLinks: [{ icon: 'github', link: 'https://git.test/acme/sitegate', ariaLabel: 'Repository' }],
    editLink: { pattern: 'https://git.test/acme/sitegate/edit/main/docs/:path', text: 'Edit this page' },
  });
  expect(versionLink(real).text).toBe('1.2.3');
  const placeholder = project(manifest('https://github.com/OWNER/sitegate', false));
  expect(repositoryLinks(placeholder)).toStrictEqual({});
  expect(versionLink(placeholder).text).toBe('1.2.3 (not released)');
  expect(() => project('')).toThrow('Cargo.toml has no');
});

test('llms.txt lists every page', () => {
  const text = llms(guide, rules(), (link) => `About ${link}.`);
  const folders = ['guides', 'concepts', 'internals'];
  const written = folders.flatMap((folder) =>
    readdirSync(new URL(`../../${folder}`, import.meta.url))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `/${folder}/${name.replace('.md', '.html')}`),
  );
  const pages = [...written, ...rules().map(({ id }) => `/rules/${id}.html`), '/rules/', '/reference/commands.html'];
  expect(pages.filter((page) => !text.includes(`](${page}): About`))).toStrictEqual([]);
});
