// Two entries. A small plugin emits images, workers, and pages with the names of the chunks.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const { OUT = 'dist' } = process.env;

/** `import address from 'file:./x.png'` emits the file, `import address from 'worker:./x.js'` a chunk. */
const emitted = {
  name: 'emitted',
  resolveId(source, importer) {
    const [, kind, path] = /^(file|worker):(.*)$/.exec(source) ?? [];
    return kind === undefined ? undefined : `\0${kind}:${new URL(path, `file://${importer}`).pathname}`;
  },
  load(id) {
    const [, kind, path] = /^\0(file|worker):(.*)$/.exec(id) ?? [];
    if (kind === undefined) return undefined;
    const reference = kind === 'file' ? this.emitFile({ type: 'asset', name: basename(path), source: readFileSync(path) }) : this.emitFile({ type: 'chunk', id: path });
    return { code: `export default import.meta.ROLLUP_FILE_URL_${reference};`, moduleType: 'js' };
  },
};

const head = (title) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title}</title>
`;
const body = (title, href, other) => `  </head>
  <body>
    <h1>${title}</h1>
    <p><a href="${href}">${other}</a></p>
    <main></main>
  </body>
</html>
`;

const pages = {
  name: 'pages',
  generateBundle(_, bundle) {
    const tags = (name, up) => {
      const { fileName, imports } = Object.values(bundle).find((one) => one.isEntry && one.name === name);
      const preloads = imports.map((path) => `    <link rel="modulepreload" href="${up}${path}">\n`).join('');
      return `${preloads}    <script type="module" src="${up}${fileName}"></script>\n`;
    };
    this.emitFile({ type: 'asset', fileName: 'index.html', source: head('Home') + tags('main', '') + body('Home', 'about/', 'About') });
    this.emitFile({ type: 'asset', fileName: 'about/index.html', source: head('About') + tags('about', '../') + body('About', '../', 'Home') });
  },
};

export default {
  input: { main: 'src/main.js', about: 'src/about.js' },
  output: {
    dir: OUT,
    format: 'es',
    sourcemap: true,
    entryFileNames: 'entries/[name]-[hash].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    assetFileNames: 'assets/[name]-[hash][extname]',
  },
  plugins: [emitted, pages],
};
