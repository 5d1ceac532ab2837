// Writes PNG images with a palette, which need a third of the bytes of true color for drawings.
import { encode } from 'fast-png';

/** Rows of opaque pixels, four bytes each: red, green, blue, and an ignored one. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Returns the colors as 0xRRGGBB, by decreasing frequency and then by value. */
function byFrequency(colours: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return [...counts].toSorted(([a, many], [b, more]) => more - many || a - b).map(([colour]) => colour);
}

/** Returns red, green and blue of a color. */
const channelsOf = (colour: number): [number, number, number] => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];

/** Returns the index of the nearest color of a palette. */
function nearest(palette: readonly (readonly number[])[], colour: number): number {
  const own = channelsOf(colour);
  const distances = palette.map((entry) => own.reduce((sum, channel, index) => sum + (channel - (entry[index] ?? 0)) ** 2, 0));
  return distances.indexOf(Math.min(...distances));
}

/** Encodes an image as a PNG with up to `most` colors, at most 256. Rarer colors become the nearest of those. The output is reproducible. */
export function indexedPng({ width, height, data }: Pixels, most = 256): Uint8Array {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const colours = Uint32Array.from({ length: width * height }, (_, pixel) => bytes.readUIntBE(pixel * 4, 3));
  const all = byFrequency(colours);
  const palette = all.slice(0, most).map(channelsOf);
  const places = new Map(all.map((colour, index) => [colour, index < palette.length ? index : nearest(palette, colour)]));
  const pixels = Uint8Array.from(colours, (colour) => places.get(colour) ?? 0);
  return encode({ width, height, channels: 1, depth: 8, palette, data: pixels }, { zlib: { level: 9 } });
}
