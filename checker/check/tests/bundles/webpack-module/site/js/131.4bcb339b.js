export const __webpack_esm_ids__ = [131];
export const __webpack_esm_modules__ = {
  131(module, exports, r) {
    module.exports = r.v(exports, new URL('../faba6ceecfba607fc2b8.module.wasm', import.meta.url));
  },
};
