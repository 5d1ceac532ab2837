// The contract that turns all rules on, with assertions, a policy and ignores, so that every mechanism runs.
import { spawnSync } from 'node:child_process';

/**
 * @param {string} sitegate
 */
export function contract(sitegate) {
  const { stdout } = spawnSync(sitegate, ['explain', '--format', 'json'], { encoding: 'utf8' });
  /** @type {{ id: string, category: string }[]} */
  const rules = JSON.parse(stdout).rules ?? JSON.parse(stdout);
  const levels = rules.filter(({ category }) => !['external', 'live', 'contract'].includes(category)).map(({ id }) => `${id} = "warn"`);
  return [
    '[site]',
    'origin = "https://docs.example.com"',
    '',
    '[rules]',
    ...levels,
    '',
    '[[assert]]',
    'name = "one main heading"',
    'pages = "/**"',
    'select = "h1"',
    'count = 1',
    '',
    '[[assert]]',
    'name = "links in lists"',
    'pages = "/**"',
    'select = "ul > li:first-child a[href]:not([href^=\\"#\\"])"',
    'max = 20',
    '',
    '[[assert]]',
    'name = "text of the first paragraph"',
    'pages = "/**"',
    'select = "h2 + p"',
    'max = 3',
    '',
    '[[headers]]',
    'paths = ["/**"]',
    '[headers.set]',
    'Content-Security-Policy = "default-src \'self\'; script-src \'self\'; style-src \'self\'; img-src \'self\' data:; object-src \'none\'; base-uri \'none\'; form-action \'self\'"',
    '',
  ].join('\n');
}
