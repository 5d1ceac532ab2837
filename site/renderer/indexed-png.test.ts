// Tests PNG images with a palette, and the size of the share images.
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import { expect, test } from 'vitest';
import { routes } from '#content/routes.ts';
import settings from '#content/site.json' with { type: 'json' };
import { indexedPng, type Pixels } from './indexed-png.ts';
import { drawShareImages } from './share-drawing.tsx';

/** Decodes the pixels of a PNG with resvg. */
function read(png: Uint8Array, { width, height }: Pixels): Uint8Array {
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image href="${href}" width="${width}" height="${height}" style="image-rendering:optimizeSpeed"/></svg>`;
  return new Resvg(svg).render().pixels;
}

const grey = (width: number, height: number, levels: number): Pixels => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 4 }, (_, index) => (index % 4 === 3 ? 255 : (index >> 2) % levels)),
});

test('256 colours are kept exactly', () => {
  const picture = grey(31, 17, 256);
  expect(Buffer.from(read(indexedPng(picture), picture)).equals(picture.data)).toBe(true);
});

test('a colour that finds no room becomes the nearest that has', () => {
  const picture = grey(300, 3, 256);
  picture.data.set([255, 254, 255, 255], 0); // once, but each gray three or four times
  const expected = Buffer.from(picture.data);
  expected.set([255, 255, 255, 255], 0);
  expect(Buffer.from(read(indexedPng(picture), picture)).equals(expected)).toBe(true);
});

test('a long name of the company does not make the heaviest picture heavier than the contract allows', async () => {
  const home = routes.filter(({ path }) => path === '/');
  const drawn = await drawShareImages(home, { ...settings, name: 'Society for the Diminution of Invoices, Bills and Receipts' }, fileURLToPath(new URL('..', import.meta.url)));
  expect(drawn.map(({ png }) => png.length < 45_000)).toEqual([true]);
}, 60_000);
