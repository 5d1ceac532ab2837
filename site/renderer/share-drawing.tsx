// Draws the share image of each page: the name and the title, and next to them a torn receipt with the circled total of an example.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import subsetFont from 'subset-font';
import type { Route } from '../content/routes.ts';
import { shareExamples } from '../content/share-examples.ts';
import type { Settings } from '../content/types.ts';
import { colors } from '../styles/tokens.ts';
import { icon } from './icon.ts';
import { indexedPng, type Pixels } from './indexed-png.ts';
import { shareImage } from './share-image.ts';
import { BillSheet, imageOf, TextSheet } from './share-sheet.tsx';

const letters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('') + '·’§…−';

/** The name may need letters of the second file of a font. */
const fontFiles = ['latin', 'latin-ext'].flatMap((part) => [
  { name: `serif-${part}`, file: `@fontsource-variable/newsreader/files/newsreader-${part}-standard-normal.woff2`, variationAxes: { wght: 500, opsz: 72 } },
  { name: `mono-${part}`, file: `@fontsource-variable/jetbrains-mono/files/jetbrains-mono-${part}-wght-normal.woff2`, variationAxes: { wght: 500 } },
]);

async function fonts(root: string, name: string) {
  const require = createRequire(join(root, 'package.json'));
  return Promise.all(
    fontFiles.map(async ({ name: family, file, variationAxes }) => ({
      name: family,
      data: await subsetFont(await readFile(require.resolve(file)), letters + name, { targetFormat: 'truetype', variationAxes, noLayoutClosure: true }),
    })),
  );
}

const column = 470;

/** Colors of an image: the edges of text need few shades, and more need up to a fifth more bytes. */
const shades = 48;

/** The largest size of type, of at most `most`, at which each word fits into the column, and all words into `rows` lines. */
function sizeOf(text: string, width: number, most: number, rows: number): number {
  // Half of the size is the mean width of a letter, wide ones are twice as wide.
  const longest = Math.max(...text.split(' ').map((word) => word.length));
  return Math.floor(Math.min(most, width / (0.56 * longest), (rows * width) / (0.52 * text.length)));
}

function Card({ route, settings: { name } }: { readonly route: Route; readonly settings: Settings }) {
  const [head = '', tail = head] = route.title.split(': ');
  const title = tail.charAt(0).toUpperCase() + tail.slice(1);
  const example = shareExamples[route.path];
  return (
    <div style={{ display: 'flex', width: '100%', height: '100%', background: colors.paper[0], color: colors.ink[0], fontFamily: 'serif-latin, serif-latin-ext' }}>
      <div style={{ display: 'flex', flexDirection: 'column', justifyContent: 'space-between', width: column, margin: '60px 0 60px 60px' }}>
        <div style={{ display: 'flex', alignItems: 'center', gap: 16, fontSize: sizeOf(name, column - 76, 42, 2), lineHeight: 1.1, letterSpacing: -0.8, wordBreak: 'break-word' }}>
          <img alt="" src={imageOf(icon.svg)} width={60} height={60} />
          <div style={{ display: 'flex', width: column - 76 }}>{name}</div>
        </div>
        <div style={{ display: 'flex', fontSize: sizeOf(title, column, 84, 5), lineHeight: 1, letterSpacing: -2.4, wordBreak: 'break-word' }}>{title}</div>
      </div>
      {example === undefined ? <TextSheet /> : <BillSheet example={example} />}
    </div>
  );
}

function drawn(svg: string): Pixels {
  const { width, height, pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  return { width, height, data: pixels };
}

/** Draws one image for each page. The output is reproducible. `root` is the folder to resolve fonts from. */
export async function drawShareImages(routes: readonly Route[], settings: Settings, root: string): Promise<{ route: Route; png: Uint8Array }[]> {
  const faces = await fonts(root, settings.name);
  const { width, height } = shareImage;
  return Promise.all(
    routes.map(async (route) => {
      const svg = await satori(<Card route={route} settings={settings} />, { width, height, fonts: faces });
      return { route, png: indexedPng(drawn(svg), shades) };
    }),
  );
}
