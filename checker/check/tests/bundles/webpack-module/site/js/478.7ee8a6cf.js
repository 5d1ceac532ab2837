export const __webpack_esm_ids__ = [478];
export const __webpack_esm_modules__ = {
  478(module, exports, r) {
    exports.say = () => r(646).line('Nobody else loads this');
  },
};
