export const __webpack_esm_ids__ = [469];
export const __webpack_esm_modules__ = {
  469(module, exports, r) {
    exports.draw = () => {
      r(646).line(`A chart, ${r(692).shade(5)}`).className = 'chart';
    };
  },
};
