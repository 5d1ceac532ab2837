// Writes PNG images with a palette, which need a third of the bytes of true color for drawings.
import { crc32 } from 'node:zlib';
import { zlibSync } from 'fflate';

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Rows of opaque pixels, four bytes each: red, green, blue, and an ignored one. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Length, type, data and checksum: https://www.w3.org/TR/png-3/#5Chunk-layout */
function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** Returns the colors as 0xRRGGBB, by decreasing frequency and then by value. */
function byFrequency(colours: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return [...counts].toSorted(([a, many], [b, more]) => more - many || a - b).map(([colour]) => colour);
}

/** Returns the squared distance of two colors. */
function distance(a: number, b: number): number {
  return [16, 8, 0].reduce((sum, shift) => sum + (((a >> shift) & 0xff) - ((b >> shift) & 0xff)) ** 2, 0);
}

function nearest(palette: readonly number[], colour: number): number {
  const distances = palette.map((entry) => distance(entry, colour));
  return distances.indexOf(Math.min(...distances));
}

/** Encodes an image as a PNG with up to `most` colors, at most 256. Rarer colors become the nearest of those. The output is reproducible. */
export function indexedPng({ width, height, data }: Pixels, most = 256): Uint8Array {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const colours = Uint32Array.from({ length: width * height }, (_, pixel) => bytes.readUIntBE(pixel * 4, 3));
  const all = byFrequency(colours);
  const palette = all.slice(0, most);
  const places = new Map(all.map((colour, index) => [colour, index < palette.length ? index : nearest(palette, colour)]));

  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // bits per pixel, color type: palette
  const rows = Buffer.alloc((width + 1) * height); // each starts with its filter: none
  colours.forEach((colour, pixel) => {
    rows[pixel + Math.floor(pixel / width) + 1] = places.get(colour) ?? 0;
  });
  const entries = Buffer.concat(palette.map((colour) => Uint8Array.of(colour >> 16, colour >> 8, colour)));
  const parts = [chunk('IHDR', header), chunk('PLTE', entries), chunk('IDAT', zlibSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]);
}
