// Types of modules without their own, and of the window.

declare module 'subset-font' {
  interface Options {
    readonly targetFormat: 'truetype' | 'woff2';
    readonly variationAxes?: Readonly<Record<string, number | { readonly min: number; readonly max: number }>>;
    readonly keepFeatures?: readonly string[];
    readonly noLayoutClosure?: boolean;
  }
  /** Subsets a font to the characters of a text. */
  export default function subsetFont(font: Uint8Array, text: string, options: Options): Promise<Buffer>;
}

interface Window {
  /** What was clicked before React was there, from start.js. */
  earlyClicks?: (HTMLElement | null)[] | undefined;
}
