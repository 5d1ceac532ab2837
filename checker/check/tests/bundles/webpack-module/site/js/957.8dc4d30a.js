export const __webpack_esm_ids__ = [957];
export const __webpack_esm_modules__ = {
  957(module, exports, r) {
    module.exports = JSON.parse('{"name":"data that came late"}');
  },
};
