// Writes llms.txt: every page of the documentation with its description, for programs that read it.

/**
 * Returns the text of llms.txt.
 *
 * @param {{ text: string, items: { text: string, link: string }[] }[]} parts - The parts of the sidebar.
 * @param {{ id: string }[]} rules
 * @param {(link: string) => string} describe - Returns the description of a page.
 */
export function llms(parts, rules, describe) {
  /** @param {{ text: string, link: string }} page */
  const line = ({ text, link }) => `- [${text}](${link.endsWith('/') ? link : `${link}.html`}): ${describe(link)}`;
  const sections = parts.map(({ text, items }) => `## ${text}\n\n${items.map(line).join('\n')}`);
  const ruleLines = rules.map(({ id }) => line({ text: id, link: `/rules/${id}` }));
  return `# sitegate

> The gate a static site must pass before it goes live: checks links, anchors, assets and a contract, and publishes exactly the files that passed.

${sections.join('\n\n')}

## Rules

${ruleLines.join('\n')}
`;
}
