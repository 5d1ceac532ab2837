// Lists the pages of the site, and selects those that a command line names.

/** All pages, and a path without a page. */
export const pages = ['/', '/prompt-optimization', '/smart-caching', '/model-routing', '/usage-analytics', '/terms', '/privacy', '/nowhere'];

/**
 * Returns the paths of a command line, or all pages if it names none. Prints the usage and exits on any other word.
 *
 * @param {string[]} words
 * @param {string} usage - One line.
 */
export function namedPages(words, usage) {
  const wrong = words.find((word) => !word.startsWith('/'));
  if (wrong !== undefined) {
    const asksForHelp = /^(-h|--help|help)$/.test(wrong);
    console[asksForHelp ? 'log' : 'error'](`${asksForHelp ? '' : `\`${wrong}\` is no path of the site\n`}Usage: ${usage}\nPages: ${pages.join(' ')}`);
    process.exit(asksForHelp ? 0 : 2);
  }
  return words.length > 0 ? words : pages;
}
