export const __webpack_esm_ids__ = [692];
export const __webpack_esm_modules__ = {
  692(module, exports, r) {
    const shades = ['white', 'silver', 'grey', 'slate', 'charcoal', 'black'];
    exports.shade = (number) => shades[number % shades.length];
  },
};
