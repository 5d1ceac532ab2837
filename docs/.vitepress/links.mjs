// Links rule ids and contract tables to their reference pages, and files outside of docs/ to their pages here.

/**
 * @typedef {import('markdown-it').Token} Token
 * @typedef {import('markdown-it').TokenClass} TokenClass
 */

/**
 * The files at the top of the project that have a page.
 *
 * @type {Record<string, string>}
 */
const outside = { 'CONTRIBUTING.md': '/reference/contributing.md', 'CHANGELOG.md': '/reference/changelog.md' };

/**
 * Returns the reference page of a piece of code, such as `broken-link` or `[external]`.
 *
 * @param {string} content
 * @param {Set<string>} ids
 */
function target(content, ids) {
  if (ids.has(content)) return `/rules/${content}.md`;
  const table = /^\[\[?(assert|check|external|headers|ignore|override|pages|redirects|rules|site|source)\]\]?$/.exec(content);
  return table ? `/reference/contract.md#${table[1]}` : undefined;
}

/**
 * Links code that has a page, outside of headings and other links.
 *
 * @param {Token[]} children
 * @param {TokenClass} Token
 * @param {Set<string>} ids
 * @param {string} own
 */
function linkCode(children, Token, ids, own) {
  const linked = [];
  let depth = 0;
  for (const token of children) {
    if (token.type === 'link_open') depth += 1;
    if (token.type === 'link_close') depth -= 1;
    const href = token.type === 'code_inline' && depth === 0 ? target(token.content, ids) : undefined;
    if (href === undefined || href.startsWith(own)) {
      linked.push(token);
      continue;
    }
    const open = new Token('link_open', 'a', 1);
    open.attrSet('href', href);
    linked.push(open, token, new Token('link_close', 'a', -1));
  }
  return linked;
}

/**
 * Points a link to a file outside of docs/ to its page, if it has one.
 *
 * @param {Token} token
 */
function moveLink(token) {
  const [path = '', fragment] = (token.attrGet('href') ?? '').split('#');
  const page = outside[path.replace(/^(\.\.\/)+/, '')];
  if (page) token.attrSet('href', page + (fragment === undefined ? '' : `#${fragment}`));
}

/**
 * The plugin for markdown-it.
 *
 * @param {import('markdown-it').default} md
 * @param {Set<string>} ids - The rules.
 */
export function links(md, ids) {
  md.core.ruler.push('sitegate-links', (state) => {
    const own = `/${state.env.relativePath ?? ''}`;
    state.tokens.forEach((token, index) => {
      if (token.type !== 'inline' || token.children === null) return;
      // Code is shown as it is written: `{{ x }}` is no expression of Vue's.
      token.children.filter(({ type }) => type === 'code_inline').forEach((code) => code.attrSet('v-pre', ''));
      if (state.tokens[index - 1]?.type === 'heading_open') return;
      token.children.filter(({ type }) => type === 'link_open').forEach(moveLink);
      token.children = linkCode(token.children, state.Token, ids, own);
    });
  });
}
