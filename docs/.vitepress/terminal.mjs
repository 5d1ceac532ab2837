// Colors the output of the program in blocks of text, as the terminal does.

/** What begins a part of a line, and the class of the part. */
const parts = [
  [/^error(?=\[|:| )/, 'red'],
  [/^warning(?=\[|:| )/, 'yellow'],
  [/^failed/, 'red'],
  [/^passed/, 'green'],
  [/^ +-->/, 'blue'],
  [/^ +[|=](?= )/, 'blue'],
].map(([pattern, name]) => ({ pattern: /** @type {RegExp} */ (pattern), name: /** @type {string} */ (name) }));

/**
 * The plugin for markdown-it.
 *
 * @param {import('markdown-it').default} md
 */
export function terminal(md) {
  const { escapeHtml } = md.utils;
  /** @param {string} line */
  const colored = (line) => {
    if (/^ +\| +\^+$/.test(line)) return line.replace(/[|]/, '<span class="blue">|</span>').replace(/\^+/, '<span class="red">$&</span>');
    const found = parts.find(({ pattern }) => pattern.test(line));
    const start = found ? (found.pattern.exec(line)?.[0] ?? '') : '';
    return (found ? `<span class="${found.name}">${escapeHtml(start)}</span>` : '') + escapeHtml(line.slice(start.length));
  };
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...more) => {
    const { info = '', content = '' } = tokens[index] ?? {};
    if (info !== 'text' || !/^(error|warning)\[|^(passed|failed) /m.test(content)) return fence(tokens, index, ...more);
    return `<div class="language-text output"><pre v-pre><code>${content.trimEnd().split('\n').map(colored).join('\n')}</code></pre></div>\n`;
  };
}
