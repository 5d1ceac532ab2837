// Build settings of styles: chunks and class names, built only once.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { normalizePath, type Plugin } from 'vite';
import { declarations } from '../styles/tokens.ts';

/** Bundles styles into four files: for all pages, for documents, for interactive pages, and for feature pages only. */
export const styleGroups = [
  { name: 'shared', test: /\/(styles\/site|components\/(Logo|Footer|SkipLink|button|Receipt)\.module)\.css/ },
  { name: 'document', test: /\/(layouts\/(Document|Legal)Layout|components\/NotFound)\.module\.css/ },
  { name: 'feature', test: /\/components\/(BenefitGrid|CacheExample|CaseStudy|DashboardExample|Faq|FeatureHero|MonthChart|PromptExample|Ring|RoutingExample|ThresholdButtons|example)\.module\.css/ },
  { name: 'interactive', test: /\.css$/ },
];

/** Returns a name: a to z, aa to zz, and so on. */
const letters = (place: number): string => (place < 26 ? '' : letters(Math.floor(place / 26) - 1)) + String.fromCharCode(97 + (place % 26));

/** Returns a class name: the index of the file as letters, and the index of the class in the file. */
export function classNamer() {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const files = ['components', 'layouts'].flatMap((part) =>
    readdirSync(join(folder, part))
      .filter((name) => name.endsWith('.module.css'))
      .toSorted()
      .map((name) => `${part}/${name}`),
  );
  const names = new Map<string, string[]>();
  return (name: string, path: string): string => {
    const file = normalizePath(relative(folder, path.split('?')[0] ?? path));
    // A file that was added in development mode.
    if (!files.includes(file)) files.push(file);
    const known = names.get(file) ?? [];
    names.set(file, known);
    if (!known.includes(name)) known.push(name);
    return letters(files.indexOf(file)) + known.indexOf(name);
  };
}

/** Writes the colors of styles/tokens.ts into site.css, in place of `@colors;` and the like. */
export const colorTokens: Plugin = {
  name: 'color-tokens',
  enforce: 'pre',
  transform: {
    filter: { id: /\/styles\/site\.css/ },
    handler: (code) => code.replaceAll(/^ *@(colors|dark-theme|more-contrast);$/gm, (_, name: string) => declarations(name)),
  },
};

/** Imports class names one by one, so that the bundler writes them into the code. Otherwise, scripts have objects of all names. */
export const inlineClassNames: Plugin = {
  name: 'inline-class-names',
  enforce: 'pre',
  apply: 'build',
  // In the server build, which has the styles, the bundler would drop those whose names are in the code.
  applyToEnvironment: (environment) => environment.name === 'client',
  transform: {
    filter: { id: /\.tsx?$/ },
    handler: (code) => code.replaceAll(/^import (\w+) from ('.+\.module\.css');$/gm, 'import * as $1 from $2;'),
  },
};

/** Removes styles from the client build, because pages use the identical ones of the server build. */
export const noClientStyles: Plugin = {
  name: 'no-client-styles',
  enforce: 'pre',
  apply: 'build',
  applyToEnvironment: (environment) => environment.name === 'client',
  generateBundle(_, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      if (file.type === 'chunk') file.viteMetadata?.importedCss.clear();
      else if (name.endsWith('.css')) delete bundle[name];
    }
  },
};
