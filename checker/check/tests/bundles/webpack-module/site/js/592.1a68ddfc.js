export const __webpack_esm_ids__ = [592];
export const __webpack_esm_modules__ = {
  592(module, exports, r) {
    exports.double = (number) => number * 2;
  },
};
