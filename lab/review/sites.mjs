// Real sites: their steps before and after a theme upgrade, and the commands that edit their content.

/**
 * @typedef {import('../real-sites/recipes.mjs').Steps} Steps
 * @typedef {{ before: Steps, theme: Partial<Steps>, edit: string }} Site
 */

/** Fastify's documentation for Starlight: pages get a title, and lose their one image, which Astro cannot read. */
const starlight = [
  'for file in $(find docs/Guides docs/Reference -name "*.md"); do',
  '  to=src/content/docs/$(echo "${file#docs/}" | tr A-Z a-z); mkdir -p "$(dirname "$to")";',
  '  title=$(basename "$file" .md); { printf -- "---\\ntitle: %s\\n---\\n" "$title"; grep -v "^!" "$file"; } > "$to";',
  'done; printf -- "---\\ntitle: Fastify\\n---\\nWelcome.\\n" > src/content/docs/index.md; rm -f package.json',
].join('\n');

/** @type {Record<string, Site>} */
export const sites = {
  sphinx: {
    before: {
      sdist: 'attrs==25.4.0',
      pip: ['sphinx==8.2.3', 'furo==2024.8.6', 'myst-parser', 'sphinx-notfound-page', 'sphinxcontrib-towncrier', 'towncrier', 'attrs==25.4.0'],
      build: [['sphinx-build', '-q', '-b', 'html', 'docs', 'html']],
      export: 'html',
    },
    theme: { pip: ['sphinx==8.2.3', 'furo==2025.12.19', 'myst-parser', 'sphinx-notfound-page', 'sphinxcontrib-towncrier', 'towncrier', 'attrs==25.4.0'] },
    edit: 'sed -i "s/Python/Python 3/" docs/why.md docs/glossary.rst; printf "\\n## A new section\\n\\nWith one paragraph.\\n" >> docs/hashing.md',
  },
  docusaurus: {
    before: {
      create: ['create-docusaurus@3.9.2', 'app', 'classic', '--javascript', '--skip-install'],
      npm: ['@docsearch/core@4.7.0', '@docsearch/css@4.7.0', '@docsearch/react@4.7.0', 'webpack@5.102.1'],
      build: [['docusaurus', 'build']],
      export: 'build',
    },
    theme: { create: ['create-docusaurus@3.10.2', 'app', 'classic', '--javascript', '--skip-install'] },
    edit: 'sed -i "s/Docusaurus in /Docusaurus within /; s/5 minutes/six minutes/" docs/intro.md; printf "\\n## A new section\\n\\nWith one paragraph.\\n" >> docs/tutorial-basics/create-a-page.md',
  },
  hugo: {
    before: {
      pack: '@hyas/doks@0.4.3',
      tools: ['hugo=0.111.3-1', 'libsass1=3.6.5+20220909-1', 'libwebp7=1.2.4-0.2+deb12u1'],
      npm: ['flexsearch@0.7.21'],
      env: { npm_config_ignore_scripts: 'true' },
      build: [['hugo', '--gc', '--minify']],
      export: 'public',
    },
    theme: { pack: '@hyas/doks@0.5.0' },
    edit: 'sed -i "s/Doks/The Doks theme/" content/en/docs/prologue/introduction.md; printf "\\n## A new section\\n\\nWith one paragraph.\\n" >> content/en/docs/help/faq.md',
  },
  astro: {
    before: {
      pack: 'fastify@5.6.1',
      files: {
        'astro.config.mjs': [
          "import starlight from '@astrojs/starlight';",
          "export default { site: 'https://docs.example.com', integrations: [starlight({ title: 'Fastify' })] };",
        ],
        'src/content.config.mjs': [
          "import { defineCollection } from 'astro:content';",
          "import { docsLoader } from '@astrojs/starlight/loaders';",
          "import { docsSchema } from '@astrojs/starlight/schema';",
          'export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };',
        ],
      },
      npm: ['astro@5.14.1', '@astrojs/starlight@0.35.3', 'sharp@0.34.4'],
      build: [['astro', 'build']],
      export: 'dist',
    },
    theme: { npm: ['astro@5.15.3', '@astrojs/starlight@0.36.2', 'sharp@0.34.4'] },
    edit: 'sed -i "s/web framework/framework for the web/" src/content/docs/guides/*.md; printf "\\n## A new section\\n\\nWith one paragraph.\\n" >> src/content/docs/guides/testing.md',
  },
};

/**
 * Returns the steps of a build: `before`, `theme` or `content`.
 *
 * @param {string} name
 * @param {'before' | 'theme' | 'content'} which
 * @returns {Steps}
 */
export function steps(name, which) {
  const site = sites[name];
  if (site === undefined) throw new Error(`there is no site ${name}; there are ${Object.keys(sites).join(', ')}`);
  const own = which === 'theme' ? { ...site.before, ...site.theme } : site.before;
  const prepare = name === 'astro' ? [['sh', '-c', starlight]] : [];
  const edit = which === 'content' ? [['sh', '-c', site.edit]] : [];
  return { ...own, build: [...prepare, ...edit, ...(own.build ?? [])] };
}
