export const __webpack_esm_ids__ = [709];
export const __webpack_esm_modules__ = {
  709(module, exports, r) {
    exports.note = 'the first note';
  },
};
