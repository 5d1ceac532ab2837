// Draws the share image of each page: its text on paper, and the bill of one sample month, or ruled clauses for a legal text.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import subsetFont from 'subset-font';
import { billTotal, billWords } from '../content/bill.ts';
import { dollars } from '../content/money.ts';
import { features, pathOf } from '../content/features.ts';
import type { Route } from '../content/routes.ts';
import type { Settings } from '../content/types.ts';
import { icon } from './icon.ts';
import { indexedPng, type Pixels } from './indexed-png.ts';
import { shareImage } from './share-image.ts';

const paper = '#f6f0e4';
const ink = '#1d1813';
const soft = '#5e5345';
const pen = '#bf2c17';
const letters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('') + '·’§';

const fontFiles = [
  { name: 'serif', file: '@fontsource-variable/newsreader/files/newsreader-latin-standard-normal.woff2', variationAxes: { wght: 500, opsz: 72 } },
  { name: 'mono', file: '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2', variationAxes: { wght: 500 } },
];

async function fonts(root: string) {
  const require = createRequire(join(root, 'package.json'));
  return Promise.all(
    fontFiles.map(async ({ name, file, variationAxes }) => ({
      name,
      data: await subsetFont(await readFile(require.resolve(file)), letters, { targetFormat: 'truetype', variationAxes, noLayoutClosure: true }),
    })),
  );
}

function Amount({ was, now }: { readonly was: string; readonly now?: string }) {
  return (
    <div style={{ display: 'flex', gap: 18 }}>
      <div style={{ display: 'flex', position: 'relative', color: soft }}>
        {was}
        {now !== undefined && <div style={{ position: 'absolute', left: -6, right: -6, top: 13, height: 4, background: pen, transform: 'rotate(-2deg)' }} />}
      </div>
      {now !== undefined && <div style={{ color: ink }}>{now}</div>}
    </div>
  );
}

const sheet = { display: 'flex', flexDirection: 'column', width: 440, boxSizing: 'border-box', alignSelf: 'center', padding: '22px 32px', background: '#fffdf7', fontFamily: 'mono', transform: 'rotate(2deg)', boxShadow: '0 18px 40px rgba(74,52,20,0.25)' } as const;

/** The sample bill: all lines struck, or only that of the page. */
function BillSheet({ route }: { readonly route: Route }) {
  const everyLine = !features.some((feature) => pathOf(feature) === route.path);
  // On the page of a feature, only its line makes the total smaller.
  const lines = features.filter((feature) => everyLine || pathOf(feature) === route.path).map(({ line }) => line);
  const { before } = billTotal();
  const row = { display: 'flex', justifyContent: 'space-between', borderTop: `2px dashed #cdbfa6`, padding: '10px 0', fontSize: 21 } as const;
  return (
    <div style={sheet}>
      <div style={{ display: 'flex', justifyContent: 'center', fontSize: 24 }}>{billWords.title}</div>
      <div style={{ display: 'flex', justifyContent: 'center', fontSize: 18, color: soft, paddingBottom: 12 }}>{billWords.period}</div>
      {features.map((feature) => {
        const { line } = feature;
        const struck = everyLine || pathOf(feature) === route.path;
        return (
          <div key={feature.slug} style={{ ...row, flexDirection: 'column', alignItems: 'flex-end' }}>
            <div style={{ display: 'flex', width: '100%', color: struck ? ink : soft }}>{line.label}</div>
            <Amount was={dollars(line.before)} {...(struck ? { now: dollars(line.after) } : {})} />
          </div>
        );
      })}
      <div style={{ ...row, flexDirection: 'column', alignItems: 'flex-end' }}>
        <div style={{ display: 'flex', width: '100%' }}>{billWords.total}</div>
        <div style={{ display: 'flex', fontSize: 26 }}>
          <Amount was={dollars(before)} now={dollars(before - billTotal(lines).saved)} />
        </div>
      </div>
    </div>
  );
}

/** The lengths of the lines of a clause, in percent. */
const clause = [96, 100, 88, 94, 61];

/** A legal text: numbered clauses as ruled lines. */
function TextSheet() {
  return (
    <div style={{ ...sheet, padding: '40px 44px' }}>
      {[1, 2, 3].map((number) => (
        <div key={number} style={{ display: 'flex', gap: 20, paddingBottom: 26 }}>
          <div style={{ display: 'flex', fontSize: 26, color: pen }}>{`§ ${number}`}</div>
          <div style={{ display: 'flex', flexDirection: 'column', flex: 1, gap: 13, paddingTop: 14 }}>
            {clause.map((length) => (
              <div key={length} style={{ width: `${length}%`, height: 4, background: '#cdbfa6' }} />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

function Card({ route, settings }: { readonly route: Route; readonly settings: Settings }) {
  const [head = '', tail] = route.title.split(': ');
  return (
    <div style={{ display: 'flex', width: '100%', height: '100%', boxSizing: 'border-box', padding: 64, background: paper, color: ink, fontFamily: 'serif', justifyContent: 'space-between' }}>
      <div style={{ display: 'flex', flexDirection: 'column', justifyContent: 'space-between', width: 540 }}>
        <div style={{ display: 'flex', alignItems: 'center', gap: 16, fontSize: 40, letterSpacing: -1 }}>
          <img alt="" src={`data:image/svg+xml;base64,${Buffer.from(icon.svg).toString('base64')}`} width={60} height={60} />
          {settings.name}
        </div>
        <div style={{ display: 'flex', flexDirection: 'column' }}>
          {tail !== undefined && <div style={{ fontFamily: 'mono', fontSize: 24, color: soft, marginBottom: 18 }}>{head}</div>}
          <div style={{ fontSize: 78, lineHeight: 1, letterSpacing: -2.5 }}>{tail === undefined ? head : tail.charAt(0).toUpperCase() + tail.slice(1)}</div>
        </div>
      </div>
      {route.kind === 'document' ? <TextSheet /> : <BillSheet route={route} />}
    </div>
  );
}

function drawn(svg: string): Pixels {
  const { width, height, pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  return { width, height, data: pixels };
}

/** Draws one image for each page. The output is reproducible. `root` is the folder to resolve fonts from. */
export async function drawShareImages(routes: readonly Route[], settings: Settings, root: string): Promise<{ route: Route; png: Uint8Array }[]> {
  const faces = await fonts(root);
  const { width, height } = shareImage;
  return Promise.all(
    routes.map(async (route) => {
      const svg = await satori(<Card route={route} settings={settings} />, { width, height, fonts: faces });
      return { route, png: indexedPng(drawn(svg)) };
    }),
  );
}
