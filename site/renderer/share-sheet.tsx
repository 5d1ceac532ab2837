// Draws the paper of share images: a torn receipt with a circled total, or ruled clauses for a legal text.
import type { ShareExample, ShareLine } from '../content/share-examples.ts';
import { billWords } from '../content/bill.ts';
import { colors, themed } from '../styles/tokens.ts';

const [ink, soft, rule, pen] = [colors.ink[0], colors['ink-soft'][0], colors.rule[0], colors.pen[0]];
const width = 580;
const height = 590;
const tooth = 14;

/** An SVG as the source of an image. */
export const imageOf = (svg: string): string => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;

/** Paper with a torn lower edge, and the same below it as its shadow. */
const paper = (() => {
  const teeth = Array.from({ length: Math.ceil(width / (2 * tooth)) }, () => `l-${tooth} ${tooth}l-${tooth}-${tooth}`).join('');
  const outline = `M0 -40H${width}V${height - tooth}${teeth}z`;
  return imageOf(`<svg xmlns="http://www.w3.org/2000/svg" width="${width + 24}" height="${height + 24}" viewBox="0 0 ${width + 24} ${height + 24}"><path transform="translate(10 12)" d="${outline}" fill="${rule}" opacity="0.6"/><path d="${outline}" fill="${themed.receipt[0]}"/></svg>`);
})();

const ring = imageOf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 70" preserveAspectRatio="none"><path d="M118 4C66 1 8 12 5 36s52 32 104 30 88-14 86-34S150 2 84 7" fill="none" stroke="${pen}" stroke-width="2.6" stroke-linecap="round"/></svg>`);

/** Struck words. */
function Struck({ children, size }: { readonly children: string; readonly size: number }) {
  return (
    <div style={{ display: 'flex', position: 'relative', color: soft }}>
      {children}
      <div style={{ position: 'absolute', left: -6, right: -6, top: size * 0.68, height: Math.max(3, size / 8), background: pen, transform: 'rotate(-1.5deg)' }} />
    </div>
  );
}

function Line({ line: { text, struck = false, was, now } }: { readonly line: ShareLine }) {
  return (
    <div style={{ display: 'flex', justifyContent: 'space-between', padding: '7px 0', fontSize: 24, letterSpacing: -1.5 }}>
      {struck ? <Struck size={24}>{text}</Struck> : <div style={{ display: 'flex' }}>{text}</div>}
      <div style={{ display: 'flex', gap: 18 }}>
        {was !== undefined && <Struck size={24}>{was}</Struck>}
        {now !== undefined && <div style={{ display: 'flex' }}>{now}</div>}
      </div>
    </div>
  );
}

function Bars({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(...values);
  return (
    <div style={{ display: 'flex', alignItems: 'flex-end', gap: 12, height: 190, paddingBottom: 12 }}>
      {values.map((value, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the months have no other key
        <div key={index} style={{ display: 'flex', flexDirection: 'column', flex: 1, height: 170 }}>
          <div style={{ display: 'flex', flex: most - value, border: value < most ? `2px dashed ${pen}` : '0', borderBottom: 0 }} />
          <div style={{ display: 'flex', flex: value, background: ink }} />
        </div>
      ))}
    </div>
  );
}

const sheet = { display: 'flex', position: 'absolute', left: 570, top: -24, width: width + 24, height: height + 24, transform: 'rotate(2.4deg)', fontFamily: 'mono-latin, mono-latin-ext' } as const;
const inner = { display: 'flex', flexDirection: 'column', position: 'absolute', left: 40, right: 62, top: 64 } as const;

/** A receipt with the circled total at 120 px. */
export function BillSheet({ example: { title, lines, bars, label = billWords.total, was, now } }: { readonly example: ShareExample }) {
  return (
    <div style={sheet}>
      <img alt="" src={paper} width={width + 24} height={height + 24} style={{ position: 'absolute' }} />
      <div style={inner}>
        <div style={{ display: 'flex', justifyContent: 'center', fontSize: 28, paddingBottom: 16, marginBottom: 8, borderBottom: `2px dashed ${rule}` }}>{title}</div>
        {bars === undefined ? lines.map((line) => <Line key={line.text} line={line} />) : <Bars values={bars} />}
        <div style={{ display: 'flex', justifyContent: 'space-between', marginTop: 6, paddingTop: 12, borderTop: `2px dashed ${rule}`, fontSize: 32 }}>
          <div style={{ display: 'flex' }}>{label}</div>
          <Struck size={32}>{was}</Struck>
        </div>
        <div style={{ display: 'flex', alignSelf: 'flex-end', position: 'relative', margin: '16px 14px 0 0', fontSize: now.length > 6 ? 106 : 120, letterSpacing: -7, lineHeight: 1.1 }}>
          {now}
          <img alt="" src={ring} style={{ position: 'absolute', left: -36, top: -12, width: `${now.length * (now.length > 6 ? 57 : 65) + 76}px`, height: 152 }} />
        </div>
      </div>
    </div>
  );
}

/** The lengths of the lines of a clause, in percent. */
const clause = [96, 100, 88, 94, 61];

/** A legal text: numbered clauses as ruled lines. */
export function TextSheet() {
  return (
    <div style={sheet}>
      <img alt="" src={paper} width={width + 24} height={height + 24} style={{ position: 'absolute' }} />
      <div style={inner}>
        {[1, 2, 3].map((number) => (
          <div key={number} style={{ display: 'flex', gap: 24, paddingBottom: 34 }}>
            <div style={{ display: 'flex', fontSize: 34, color: pen }}>{`§ ${number}`}</div>
            <div style={{ display: 'flex', flexDirection: 'column', flex: 1, gap: 16, paddingTop: 18 }}>
              {clause.map((length) => (
                <div key={length} style={{ width: `${length}%`, height: 5, background: rule }} />
              ))}
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
