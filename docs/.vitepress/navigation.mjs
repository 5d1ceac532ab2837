// The sidebar: all pages, in order.

/**
 * @param {string} text
 * @param {string} link
 */
const page = (text, link) => ({ text, link: `/${link}` });

export const guide = [
  {
    text: 'Start',
    items: [
      page('Start in five minutes', 'guides/start'),
      page('Install', 'guides/install'),
      page('Verify what you run', 'guides/verify'),
      page('Migrate from another checker', 'guides/migrate'),
      page('Replace your script', 'guides/replace-your-script'),
      page('Make it yours', 'guides/make-it-yours'),
      page('Nix', 'guides/nix'),
    ],
  },
  {
    text: 'Check',
    items: [
      page('Write a contract', 'guides/contract'),
      page('Build plugins and generators', 'guides/build'),
      page('CI', 'guides/ci'),
      page('Coding agents', 'guides/agents'),
      page('Source lines', 'guides/source-lines'),
      page('Ignores and baselines', 'guides/ignores'),
      page('External links', 'guides/external-links'),
      page('Live sites', 'guides/live-sites'),
      page('Links between repositories', 'guides/parts'),
      page('Troubleshooting', 'guides/troubleshooting'),
    ],
  },
  {
    text: 'Change',
    items: [
      page('Fixes', 'guides/fix'),
      page('Move a page', 'guides/move'),
      page('Review a change', 'guides/review'),
      page('Addresses that last', 'guides/addresses'),
    ],
  },
  {
    text: 'Publish',
    items: [
      page('Publish', 'guides/publish'),
      page('Keep old files for open tabs', 'guides/carry'),
      page('Hosts', 'concepts/hosts'),
      page('Seal and publish', 'concepts/seal'),
    ],
  },
  {
    text: 'Concepts',
    items: [
      page('Checks', 'concepts/checks'),
      page('Reports and exit codes', 'concepts/reports'),
      page('Threat model', 'concepts/security'),
      page('Versions', 'concepts/versions'),
      page('Inventory format', 'concepts/inventory'),
      page('Comparison', 'concepts/comparison'),
      page('Glossary', 'concepts/glossary'),
    ],
  },
  {
    text: 'Reference',
    items: [
      page('Rules', 'rules/'),
      page('Contract', 'reference/contract'),
      page('Commands', 'reference/commands'),
      page('JSON report', 'reference/report'),
      page('Changelog', 'reference/changelog'),
    ],
  },
  {
    text: 'Internals',
    collapsed: true,
    items: [
      page('Contributing', 'reference/contributing'),
      page('Architecture', 'internals/architecture'),
      page('Benchmarks', 'internals/performance'),
      page('Watch mode', 'internals/watch'),
      page('Source mapping', 'internals/source-mapping'),
      page('Fixes', 'internals/fixes'),
      page('Redirects', 'internals/redirects'),
      page('Reviews', 'internals/review'),
      page('Bundlers', 'internals/bundlers'),
      page('Real sites', 'internals/real-sites'),
      page('Publishing tests', 'internals/publishing-tests'),
      page('Supply chain', 'internals/supply-chain'),
      page('Releases', 'internals/release'),
      page('The website', 'internals/site'),
    ],
  },
];

/**
 * Returns the rules by category, in the order of `sitegate explain`.
 *
 * @param {{ id: string, category: string }[]} rules
 */
export function rulesSidebar(rules) {
  const categories = [...new Set(rules.map(({ category }) => category))].map((category) => ({
    text: category.slice(0, 1).toUpperCase() + category.slice(1),
    items: rules.filter((rule) => rule.category === category).map(({ id }) => page(id, `rules/${id}`)),
  }));
  return [{ text: 'Reference', items: guide.find(({ text }) => text === 'Reference')?.items ?? [] }, ...categories];
}

/**
 * Returns the links to the repository, and to a page's source there. Without a repository there are none.
 *
 * @param {import('./pages/program.mjs').Project} project
 */
export function repositoryLinks({ repository }) {
  if (repository === undefined) return {};
  return {
    socialLinks: [{ icon: 'github', link: repository, ariaLabel: 'Repository' }],
    editLink: { pattern: `${repository}/edit/main/docs/:path`, text: 'Edit this page' },
  };
}

/**
 * Returns the link of the version in the menu, to its changes.
 *
 * @param {import('./pages/program.mjs').Project} project
 */
export const versionLink = ({ version, released }) => ({ text: released ? version : `${version} (not released)`, link: '/reference/changelog' });
