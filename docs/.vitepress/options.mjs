// Keeps options such as `--external` on one line: browsers break lines after a hyphen.

/**
 * The plugin for markdown-it.
 *
 * @param {import('markdown-it').default} md
 */
export function options(md) {
  const { rules } = md.renderer;
  const code = rules.code_inline;
  rules.code_inline = (tokens, index, ...more) => code(tokens, index, ...more).replaceAll(/(?<=[\s>])--?[\w-]{1,24}(?=[\s<])/g, '<span class="option">$&</span>');
}
