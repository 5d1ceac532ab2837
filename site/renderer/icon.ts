// The brand mark as an icon, rendered in the sizes for browsers and phones.
import { Resvg } from '@resvg/resvg-js';

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#f6f0e4"/><path d="M15 8h34v48l-5.67-4.500-5.660 4.500L32 51.500 26.330 56l-5.660-4.500L15 56z" fill="#fffdf7" stroke="#1d1813" stroke-width="3.500" stroke-linejoin="round"/><path d="M24 20h16M24 42h10" stroke="#1d1813" stroke-width="3.500" stroke-linecap="round"/><path d="M17 32.500c9-4 18 1.500 30-2.500" fill="none" stroke="#bf2c17" stroke-width="6" stroke-linecap="round"/></svg>\n`;

/** The mark, and a function that renders it. */
export const icon = {
  svg,
  png: (size: number): Uint8Array => new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng(),
};

/** The files that head and manifest refer to. */
export const iconSizes = [
  { name: 'favicon-48.png', size: 48 },
  { name: 'apple-touch-icon.png', size: 180 },
  { name: 'icon-192.png', size: 192 },
  { name: 'icon-512.png', size: 512 },
] as const;
