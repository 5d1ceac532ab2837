// Writes the generated pages: rules, contract, commands and report from the descriptions of the program, documents from outside
// of docs/, and the output on the home page. None of them is committed.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandsPage } from './pages/commands.mjs';
import { contractPage } from './pages/contract.mjs';
import { document } from './pages/markdown.mjs';
import { contractSchema, project, reportSchema, rules as readRules, sampleOutput } from './pages/program.mjs';
import { reportPage } from './pages/report.mjs';
import { rulePage, rulesPage } from './pages/rules.mjs';

const docs = fileURLToPath(new URL('../', import.meta.url));

/**
 * @param {string} path
 * @param {string} text
 */
async function write(path, text) {
  const file = join(docs, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/**
 * Returns a document from the top of the project as a page of the reference, with its links adapted.
 *
 * @param {string} file
 * @param {string} description
 */
async function moved(file, description) {
  const text = await readFile(join(docs, '..', file), 'utf8');
  const [heading = '', ...rest] = text.split('\n');
  const body = rest.join('\n').replaceAll(/\]\((?!https?:|#)([^)]+)\)/g, (_, link) => `](../${link.replace(/^docs\//, '')})`);
  return document({ title: heading.replace(/^# /, ''), description }, body);
}

/** Writes all generated pages. */
export async function generate() {
  const rules = readRules();
  const schema = contractSchema();
  const examples = await readFile(join(docs, '.vitepress/pages/examples.toml'), 'utf8');
  await Promise.all(['rules', 'reference', '.vitepress/generated'].map((folder) => rm(join(docs, folder), { recursive: true, force: true })));
  await Promise.all([
    write('rules/index.md', rulesPage(rules)),
    ...rules.map((rule) => write(`rules/${rule.id}.md`, rulePage(rule, schema))),
    write('reference/contract.md', contractPage(schema, examples)),
    write('reference/report.md', reportPage(reportSchema())),
    write('reference/commands.md', commandsPage()),
    write('reference/contributing.md', await moved('CONTRIBUTING.md', 'How sitegate is built, how a rule is added in ten minutes, and which tests to run.')),
    write('reference/changelog.md', await moved('CHANGELOG.md', 'The changes in each release of sitegate.')),
    write('.vitepress/generated/rules.json', JSON.stringify(rules.map(({ id, category }) => ({ id, category })))),
    write('.vitepress/generated/terminal.json', JSON.stringify(sampleOutput())),
    write('.vitepress/generated/project.json', JSON.stringify(project())),
  ]);
}
