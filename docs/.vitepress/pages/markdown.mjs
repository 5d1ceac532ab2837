// Writes Markdown: front matter, text that holds no markup, tables, blocks of code.

/**
 * A generated page with its front matter and its heading. It has no link to its source.
 *
 * @param {{ title: string, heading?: string, description: string, [key: string]: string }} front
 * @param {string} body
 */
export const document = ({ title, heading = title, description, ...rest }, body) =>
  `---\n${Object.entries({ title, description, ...rest, editLink: false })
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n')}\n---\n\n# ${heading}\n\n${body.trim()}\n`;

/**
 * A text of the program as Markdown: code stays code, and outside of it nothing is markup.
 *
 * @param {string} words
 */
export const text = (words) =>
  words
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(/[*_[\]{}\\]/g, '\\$&')))
    .join('');

/**
 * {@link text} with a capital and a full stop.
 *
 * @param {string} words
 */
export const sentence = (words) => text(/^[a-z]/.test(words) ? words.slice(0, 1).toUpperCase() + words.slice(1) : words) + (/[.!?]$/.test(words) ? '' : '.');

/** @param {string} words */
const cell = (words) => words.replaceAll('|', '\\|').replaceAll('\n', ' ');

/**
 * A table; without rows, nothing.
 *
 * @param {string[]} head
 * @param {string[][]} rows
 */
export function table(head, rows) {
  if (rows.length === 0) return '';
  /** @param {string[]} cells */
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/**
 * A block of code.
 *
 * @param {string} language
 * @param {string} lines
 */
export const code = (language, lines) => `\`\`\`${language}\n${lines.trimEnd()}\n\`\`\``;
