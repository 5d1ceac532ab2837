// Takes small screenshots of pages and compares them. The browser decodes the pixels, so that no library is needed.
import type { Page } from 'playwright-core';

/** The scale of screenshots: layout, colors and lines of text are recognizable, single characters are not. */
export const scale = 1 / 5;

/** Returns a screenshot of the full page with few shades, as lossless WebP in Base64. The page must be at {@link scale}. */
export async function picture(page: Page, blank: Page): Promise<string> {
  const shot = (await page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' })).toString('base64');
  return blank.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('the browser draws nothing');
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, image.width, image.height);
    // Fewer shades give smaller files.
    for (const [index, value] of pixels.data.entries()) pixels.data[index] = index % 4 === 3 ? 255 : Math.round(value / 25.5) * 25.5;
    context.putImageData(pixels, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: 1 })).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  }, shot);
}

/** Returns the number of pixels in a million that differ by more than two shades, or 1,000,000 if the sizes differ. */
export function difference(blank: Page, one: string, other: string): Promise<number> {
  return blank.evaluate(
    async (pictures) => {
      // oxlint-disable-next-line unicorn/consistent-function-scoping -- all of this runs in the browser
      const read = async (data: string) => {
        const image = await createImageBitmap(await (await fetch(`data:image/webp;base64,${data}`)).blob());
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
        context?.drawImage(image, 0, 0);
        return { width: image.width, height: image.height, data: context?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray() };
      };
      const [a, b] = await Promise.all([read(pictures[0]), read(pictures[1])]);
      if (a.width !== b.width || a.height !== b.height) return 1_000_000;
      let different = 0;
      for (let pixel = 0; pixel < a.data.length; pixel += 4) {
        if ([0, 1, 2].some((channel) => Math.abs((a.data[pixel + channel] ?? 0) - (b.data[pixel + channel] ?? 0)) > 51)) different += 1;
      }
      return (different / (a.data.length / 4)) * 1_000_000;
    },
    [one, other] as const,
  );
}
