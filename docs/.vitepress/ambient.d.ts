// Declares the parts of packages that only the documentation's package.json has, because the linter runs without them.

declare module 'vitepress' {
  import type MarkdownIt from 'markdown-it';

  interface Config {
    transformPageData(data: { description: string; relativePath: string; filePath: string }): { description: string } | undefined;
    transformHtml(html: string, file: string): string | undefined;
    markdown: { theme: object; config(md: MarkdownIt): void };
    [key: string]: unknown;
  }
  export function defineConfig(config: Config): Config;
}

declare module 'vitepress/theme-without-fonts' {
  const theme: object;
  export default theme;
}

declare module '*.vue' {
  const component: object;
  export default component;
}

declare module 'markdown-it' {
  export interface Token {
    type: string;
    info: string;
    content: string;
    children: Token[] | null;
    attrGet(name: string): string | null;
    attrSet(name: string, value: string): void;
  }
  export type TokenClass = new (type: string, tag: string, nesting: number) => Token;
  export interface State {
    env: { relativePath?: string };
    tokens: Token[];
    Token: TokenClass;
  }
  export default interface MarkdownIt {
    core: { ruler: { push(name: string, rule: (state: State) => void): void } };
    renderer: { rules: Record<'code_inline' | 'fence', (tokens: Token[], index: number, ...more: unknown[]) => string> };
    utils: { escapeHtml(text: string): string };
  }
}
