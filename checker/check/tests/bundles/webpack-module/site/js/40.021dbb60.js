export const __webpack_esm_ids__ = [40];
export const __webpack_esm_modules__ = {
  40(module, exports, r) {
    exports.say = () => r(646).line('Fetched ahead');
  },
};
