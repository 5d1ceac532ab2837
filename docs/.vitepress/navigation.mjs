// The order of the pages.

/**
 * @param {string} text
 * @param {string} link
 */
const page = (text, link) => ({ text, link: `/${link}` });

export const guide = [
  {
    text: 'Start',
    items: [page('In five minutes', 'start'), page('Write a contract', 'contract'), page('Exceptions and baselines', 'exceptions')],
  },
  {
    text: 'The check',
    items: [
      page('What is checked', 'checked'),
      page('The line you edit', 'sources'),
      page('Links to other hosts', 'external'),
      page('A live site', 'live'),
      page('Checking again', 'again'),
      page('Reports and exit codes', 'reports'),
    ],
  },
  {
    text: 'Where you work',
    items: [page('In the build', 'generators'), page('Hosts', 'hosts'), page('CI', 'ci'), page('Publishing', 'publishing'), page('Nix', 'nix')],
  },
  {
    text: 'Reference',
    items: [page('Rules', 'rules/'), page('The contract, key by key', 'reference/contract'), page('Commands', 'reference/commands'), page('The JSON report', 'reference/report')],
  },
  {
    text: 'Judge it',
    items: [page('How it compares', 'comparison'), page('Speed', 'performance'), page('Troubleshooting', 'troubleshooting'), page('Changelog', 'reference/changelog')],
  },
  {
    text: 'For contributors',
    collapsed: true,
    items: [
      page('Contributing', 'reference/contributing'),
      page('Architecture', 'architecture'),
      page('Where the time goes', 'speed-notes'),
      page('How publishing is tested', 'publishing-tests'),
      page('What releases are made of', 'supply-chain'),
      page('What breaks without a file', 'bundlers'),
      page('On real sites', 'real-sites'),
      page('The website', 'site'),
      page('The website, as it looks', 'design'),
    ],
  },
];

/**
 * The rules below their categories, in the order of `sitegate rules`.
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
