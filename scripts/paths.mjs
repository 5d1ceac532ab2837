// The pages of the site, and those among them that a command line names.

/** Every page, and a path that has none. */
export const pages = ['/', '/prompt-optimization', '/smart-caching', '/model-routing', '/usage-analytics', '/terms', '/privacy', '/nowhere'];

/**
 * The paths of a command line, or every page where it names none. Any other word ends the process with the usage.
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
