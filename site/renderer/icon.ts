// The brand mark as an icon, rendered in the sizes for browsers and phones.
import { Resvg } from '@resvg/resvg-js';
import { colors, themed } from '../styles/tokens.ts';
import { indexedPng } from './indexed-png.ts';

const [paper, ink, pen] = [colors.paper[0], colors.ink[0], colors.pen[0]];

/** The mark on a square of paper with corners of this radius. */
const drawn = (radius: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="${radius}" fill="${paper}"/><path d="M15 8h34v48l-5.67-4.500-5.660 4.500L32 51.500 26.330 56l-5.660-4.500L15 56z" fill="${themed.receipt[0]}" stroke="${ink}" stroke-width="3.500" stroke-linejoin="round"/><path d="M24 20h16M24 42h10" stroke="${ink}" stroke-width="3.500" stroke-linecap="round"/><path d="M17 32.500c9-4 18 1.500 30-2.500" fill="none" stroke="${pen}" stroke-width="6" stroke-linecap="round"/></svg>\n`;

/** The mark, and a function that renders it without transparency, which needs a third of the bytes. Systems round its corners. */
export const icon = {
  svg: drawn(12),
  png(size: number): Uint8Array {
    const { width, height, pixels } = new Resvg(drawn(0), { fitTo: { mode: 'width', value: size } }).render();
    return indexedPng({ width, height, data: pixels });
  },
};

/** The files that head and manifest refer to. */
export const iconSizes = [
  { name: 'favicon-48.png', size: 48 },
  { name: 'apple-touch-icon.png', size: 180 },
  { name: 'icon-192.png', size: 192 },
  { name: 'icon-512.png', size: 512 },
] as const;
