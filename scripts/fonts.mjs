// Cuts the two variable fonts down to the letters and axes the site uses, and prints the fallback metrics that styles/fonts.css states.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const root = new URL('../', import.meta.url);
const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
const letters = `${ascii}\u00a0©§é–—‘’“”…→←↑↓×−·•€✓`;

const fonts = [
  {
    source: 'node_modules/@fontsource-variable/newsreader/files/newsreader-latin-standard-normal.woff2',
    target: 'site/styles/fonts/newsreader.woff2',
    options: { variationAxes: { wght: { min: 400, max: 600 }, opsz: 40 }, keepFeatures: ['kern', 'liga', 'tnum', 'lnum'], noLayoutClosure: true },
  },
  {
    source: 'node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
    target: 'site/styles/fonts/jetbrains-mono.woff2',
    options: { variationAxes: { wght: { min: 400, max: 600 } }, keepFeatures: [], noLayoutClosure: true },
  },
];

for (const { source, target, options } of fonts) {
  const bytes = await subsetFont(await readFile(new URL(source, root)), letters, { targetFormat: 'woff2', ...options });
  await writeFile(fileURLToPath(new URL(target, root)), bytes);
  console.log(`${target}: ${bytes.length} bytes`);
}
