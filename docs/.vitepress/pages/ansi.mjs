// Parses the colors of terminal output.

/** @type {Record<string, string>} */
const names = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 36: 'cyan' };

/** @typedef {{ text: string, style: string[] }} Span */

/**
 * Parses text with color escape sequences (ECMA-48, SGR) into lines of spans, each with the names of its styles.
 *
 * @param {string} text
 * @returns {Span[][]}
 */
export function spans(text) {
  /** @type {string[]} */
  let style = [];
  return text.split('\n').map((line) => {
    const [first = '', ...rest] = line.split('\x1b[');
    const found = [{ text: first, style }];
    for (const part of rest) {
      const end = part.indexOf('m');
      const codes = part.slice(0, end).split(';');
      style = codes.includes('0') || codes.includes('') ? [] : style.concat(codes.map((code) => names[code]).filter((name) => name !== undefined));
      found.push({ text: part.slice(end + 1), style });
    }
    return found.filter((span) => span.text !== '');
  });
}
