export const __webpack_esm_ids__ = [407];
export const __webpack_esm_modules__ = {
  723(module, exports, r) {
    exports.open = () => {
      r(646).line(`The panel is ${r(692).shade(3)}`).className = 'panel';
    };
  },
};
