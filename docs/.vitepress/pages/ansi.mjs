// Reads the colours of a terminal's output.

const names = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 36: 'cyan' };

/** @typedef {{ text: string, style: string[] }} Span */

/**
 * Text with escape sequences of colours (ECMA-48, SGR) as lines of spans, each with the names of its styles.
 *
 * @param {string} text
 * @returns {Span[][]}
 */
export function spans(text) {
  let style = [];
  return text.split('\n').map((line) => {
    const found = [];
    for (const [, code, plain] of line.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)) {
      if (plain !== undefined) found.push({ text: plain, style });
      else if (code === '0' || code === '') style = [];
      else style = [...style, ...code.split(';').map((one) => names[one]).filter((name) => name !== undefined)];
    }
    return found;
  });
}
