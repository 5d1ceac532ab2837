// The documents to follow, and their code blocks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/run.mjs';

/**
 * A document, and what its reader has before it.
 *
 * @typedef {object} Document
 * @property {string} file
 * @property {'sample' | 'project'} site - The reader's site: `docs/sample`, which has faults, or `project/`, which passes.
 * @property {boolean} [online] - Whether its commands use the network of this machine.
 * @property {boolean} [installed] - Whether sitegate is installed before.
 * @property {RegExp} [inClone] - The commands that run in the clone of the repository, not in the site.
 * @property {Record<string, number>} [exits] - Expected exit codes other than 0.
 * @property {Record<string, string>} [before] - What happens before a command, such as the next release.
 * @property {Record<string, (output: string) => string>} [answers] - What the reader types, from the output of the command before.
 */

const inClone = /^npm (run|test)|--path /;

/** The next release of the site. */
const nextRelease =
  'echo "<!-- $RANDOM -->" >> src/index.html && npm run build && sitegate check dist --seal seal.json && sitegate publish s3://my-site dist --seal seal.json';

/** A commit of the site, after which a page moves. */
const movedPage = [
  'git add src && git -c user.name=reader -c user.email=reader@example.com commit --quiet --message 1 && git tag v1.4.0',
  'mkdir ../main && cp -r dist ../main && git mv src/pricing src/prices && npm run --silent build',
].join(' && ');

/** @param {string} title @param {string} body */
const onlyPage = (title, body) => `rm -r dist && mkdir dist && echo '<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>${body}' > dist/index.html`;

/** The blog publishes its inventory, and the next repository has a page with a wrong link to it. */
const otherRepository = [
  'aws s3api create-bucket --bucket my-site && aws s3 cp --acl public-read dist/inventory.txt.gz s3://my-site/blog/inventory.txt.gz',
  'curl --silent http://www.example.com/from-bucket',
  onlyPage('Docs', '<a href="/blog/frist/">Blog</a>'),
  // This machine is www.example.com.
  `printf '[external]\\nallow-addresses = ["127.0.0.1/32"]\\n' >> sitegate.toml`,
].join(' && ');

/** @type {Document[]} */
export const documents = [
  { file: 'README.md', site: 'project', online: true, inClone },
  {
    file: 'docs/guides/start.md',
    site: 'sample',
    online: true,
    inClone,
    exits: { 'sitegate check dist': 1 },
  },
  { file: 'docs/guides/install.md', site: 'project', online: true, inClone },
  { file: 'docs/guides/contract.md', site: 'project', installed: true },
  {
    file: 'docs/guides/ci.md',
    site: 'project',
    installed: true,
    exits: { 'reviewdog -f=rdjson -reporter=github-pr-review < findings.json': 1 }, // the action, which cannot run, writes the file
  },
  {
    file: 'docs/guides/make-it-yours.md',
    site: 'project',
    online: true,
    installed: true,
    inClone: /./,
    before: {
      'npm run release': `ln -s ../sitegate/target target; sed -i 's/example.com/acme.org/; s/Tokenthrift/Acme/' site/content/site.json`,
      'sitegate publish --dry-run s3://my-site --seal .sitegate/seal.json': 'aws s3api create-bucket --bucket my-site',
    },
  },
  {
    file: 'docs/guides/publish.md',
    site: 'project',
    installed: true,
    before: {
      'sitegate target status s3://my-site': nextRelease,
      'sitegate publish s3://my-site dist --seal seal.json --verify https://www.example.com --rollback': 'curl --silent http://www.example.com/from-bucket',
      'sitegate rollback s3://my-site': nextRelease,
    },
    exits: { 'sitegate rollback s3://my-site --to 20261123-1217': 2 }, // a release of the reader
    answers: {
      'aws configure --profile publisher': (output) => {
        const { AccessKeyId: id, SecretAccessKey: secret } = JSON.parse(output).AccessKey;
        return `${id}\n${secret}\nus-east-1\n\n`;
      },
    },
  },
  { file: 'docs/guides/external-links.md', site: 'project', installed: true },
  {
    file: 'docs/guides/live-sites.md',
    site: 'project',
    installed: true,
    exits: { 'sitegate inventory https://www.example.com/ --output published.txt': 2 }, // this site has no sitemap
  },
  {
    file: 'docs/guides/addresses.md',
    site: 'project',
    installed: true,
    before: {
      'sitegate redirects': movedPage,
      'sitegate redirects --base v1.4.0': `printf '[source]\\ninclude = ["src/**"]\\n' >> sitegate.toml`,
      'sitegate inventory ops/sitemap.xml ops/search-console.csv --output published.txt':
        `mkdir ops && echo '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://www.example.com/terms/</loc></url></urlset>' > ops/sitemap.xml && printf 'Top pages,Clicks\\nhttps://www.example.com/,9\\n' > ops/search-console.csv`,
    },
    exits: Object.fromEntries(['', ' --before ../main/dist', ' --base v1.4.0'].map((options) => [`sitegate redirects${options}`, 1])),
  },
  {
    file: 'docs/guides/parts.md',
    site: 'project',
    installed: true,
    before: { 'sitegate check --inventory dist/inventory.txt.gz': onlyPage('Blog', '<p>Posts'), 'sitegate check --parts': otherRepository },
    exits: { 'sitegate check --parts': 1 },
  },
  { file: 'docs/guides/ignores.md', site: 'project', installed: true },
  { file: 'docs/guides/troubleshooting.md', site: 'project', installed: true },
];

/**
 * A code block: its language, its lines, the folder that it runs in, and what it needs that is not here.
 *
 * @typedef {{ info: string, text: string, folder: string | undefined, needs: string | undefined, adjacent: boolean }} Block
 */

/**
 * Returns the code blocks of a document, in order. `adjacent` means that only white space separates it from the last one.
 *
 * @param {string} file
 * @returns {Block[]}
 */
export function blocks(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const fence = /(?:<!-- (?:run in (\S+)|needs ([^>]+?)) -->\n)?^( *)```(\w+)([^\n]*)\n([\s\S]*?)^ *```$/gm;
  let end = -1;
  return [...text.matchAll(fence)].map((match) => {
    const [whole, folder, needs, indent = '', info = '', label = '', lines = ''] = match;
    const adjacent = text.slice(Math.max(end, 0), match.index).trim() === '' && end !== -1;
    end = match.index + whole.length;
    const unindented = lines.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    return { info: info + label.trim(), text: unindented.join('\n'), folder, needs, adjacent };
  });
}

/**
 * Returns the commands of a block: the lines of a script, or those in a CI configuration. The forge runs its other steps.
 *
 * @param {Block} block
 */
export function commands({ info, text }) {
  if (info === 'yaml') {
    const steps = text.match(/^ *- run: .*$|(?<=script:\n)(?: +- .*\n?)+/gm) ?? [];
    const lines = steps.flatMap((step) => step.trim().split('\n')).map((line) => line.trim().replace(/^- (run: )?/, ''));
    // A script of several lines uses the forge's own programs.
    return lines.filter((line) => line !== '|');
  }
  if (info !== 'sh') return [];
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  return lines.map((line) => line.replace(/\s+# .*$/, '').replaceAll(/\s+/g, ' ').trim()).filter((line) => line !== '' && !line.startsWith('#'));
}
