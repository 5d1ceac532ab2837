export const __webpack_esm_ids__ = [679];
export const __webpack_esm_modules__ = {
  679(module, exports, r) {
    exports.note = 'the second note';
  },
};
