// Lays out a page at several widths in one call, in a frame.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Copies the document of the page into a frame as large as the window, runs a function in it at each width, and returns the results.
 * Media queries, container queries and viewport units follow the frame, and as it is not painted at each width, this costs a fraction
 * of resizing the page. The page needs the option `bypassCSP`, because the policy permits no frame.
 */
export async function atWidths<Result>(page: Page, widths: readonly number[], measure: (view: Window & typeof globalThis) => Result): Promise<Result[]> {
  await page.evaluate(() => {
    const html = `<!doctype html>${document.documentElement.outerHTML}`;
    const frame = document.createElement('iframe');
    Object.assign(frame.style, { position: 'fixed', inset: '0 auto auto 0', border: '0', maxWidth: 'none', width: '100vw', height: '100vh', visibility: 'hidden' });
    document.body.append(frame);
    frame.contentDocument?.write(html);
    frame.contentDocument?.close();
  });
  // From here, because a page without JavaScript calls no listener.
  await expect
    .poll(() =>
      page.evaluate(() => {
        const text = document.querySelector('iframe')?.contentDocument;
        return text?.readyState === 'complete' && text.fonts.status === 'loaded';
      }),
    )
    .toBe(true);
  const run = (all: readonly number[], look: typeof measure) => {
    const frame = document.querySelector('iframe');
    const view = frame?.contentWindow as Parameters<typeof measure>[0] | null | undefined;
    if (!frame || !view) throw new Error('the page has no frame');
    const results = all.map((width) => {
      frame.style.width = `${width}px`;
      if (view.innerWidth !== width) throw new Error(`the frame is ${view.innerWidth} px wide, not ${width}`);
      return look(view);
    });
    frame.remove();
    return results;
  };
  return (await page.evaluate(`(${run})(${JSON.stringify(widths)}, ${measure})`)) as Result[];
}
