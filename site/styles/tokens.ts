// All colors of the site: for the style sheets, the icons, the browser's own bars, and the share images.

/** Colors by the color scheme of an element, light and dark. Each is a token of the style sheets, such as `--paper-deep`. */
export const colors = {
  paper: ['#f6f0e4', '#171310'],
  'paper-deep': ['#ece3d1', '#1f1a15'],
  raised: ['#fffdf7', '#1f1a15'],
  ink: ['#1d1813', '#f1e9db'],
  'ink-soft': ['#5e5345', '#b8ab98'],
  rule: ['#cdbfa6', '#4a4034'],
  pen: ['#bf2c17', '#ff7a5c'],
  'on-pen': ['#fff6ea', '#171310'],
  'pen-block': ['#b92a16', '#8f2414'],
  dark: ['#1d1813', '#0e0b09'],
  // The same in both.
  black: ['#1d1813', '#1d1813'],
  cream: ['#fff6ea', '#fff6ea'],
  'pen-on-dark': ['#ff7a5c', '#ff7a5c'],
  'on-dark': ['#efe6d8', '#efe6d8'],
  'on-dark-soft': ['#b8ab98', '#b8ab98'],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

/**
 * Colors by the theme of the page, light and dark, for elements that have a scheme of their own: in the dark theme, the paper is
 * lit by a lamp.
 */
export const themed = {
  receipt: ['#fffdf7', '#f4ebda'],
  // Among dark sections, the color of dried ink sets one apart.
  night: ['#0e0b09', '#2b120d'],
  shadow: ['rgb(74 52 20 / 0.2)', 'rgb(0 0 0 / 0.3)'],
  // Only white: other colors would darken the rim and draw an edge.
  glow: ['transparent', 'rgb(255 255 255 / 0.09)'],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

/** Colors for visitors who prefer more contrast. */
export const contrast = { rule: ['#857a69', '#8a7d6c'] } as const satisfies Record<string, readonly [light: string, dark: string]>;

const byScheme = (all: Readonly<Record<string, readonly [string, string]>>) => Object.entries(all).map(([name, [light, dark]]) => `--${name}: ${light === dark ? light : `light-dark(${light}, ${dark})`};`);
const byTheme = (theme: 0 | 1) => Object.entries(themed).map(([name, values]) => `--${name}: ${values[theme]};`);

/** The declarations for the placeholders of site.css. */
const blocks: Readonly<Record<string, readonly string[]>> = {
  colors: [...byScheme(colors), ...byTheme(0)],
  'dark-theme': byTheme(1),
  'more-contrast': byScheme(contrast),
};

/** Returns the declarations for a placeholder, such as `colors`. */
export function declarations(placeholder: string): string {
  const block = blocks[placeholder];
  if (block === undefined) throw new Error(`site/styles/tokens.ts has no colors for @${placeholder}`);
  return block.join('\n');
}
