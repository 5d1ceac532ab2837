// How styles are built: in which files, under which names, and only once.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Styles in three files: what every page shows, what documents add, what interactive pages add. */
export const styleGroups = [
  { name: 'shared', test: /\/(styles\/site|components\/(Logo|Footer|SkipLink|button|Receipt|NotFound)\.module)\.css/ },
  { name: 'document', test: /\/layouts\/(Document|Legal)Layout\.module\.css/ },
  { name: 'interactive', test: /\.css$/ },
];

/** a to z, aa to zz, and so on. */
const letters = (place: number): string => (place < 26 ? '' : letters(Math.floor(place / 26) - 1)) + String.fromCharCode(97 + (place % 26));

/** Names of classes: a file's place among all files of styles in letters, and the class's place in the file. */
export function classNamer() {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const files = ['components', 'layouts'].flatMap((part) =>
    readdirSync(join(folder, part))
      .filter((name) => name.endsWith('.module.css'))
      .toSorted()
      .map((name) => `${part}/${name}`),
  );
  const names = files.map(() => [] as string[]);
  return (name: string, path: string): string => {
    const file = files.findIndex((known) => path.split('?')[0]?.replaceAll('\\', '/').endsWith(`/${known}`));
    const known = names[file];
    if (known === undefined) throw new Error(`${path} is not among the styles of the site`);
    if (!known.includes(name)) known.push(name);
    return letters(file) + known.indexOf(name);
  };
}

/** Pages name the styles of the server build, all of them: the client build brings none, which would be the same ones again. */
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
