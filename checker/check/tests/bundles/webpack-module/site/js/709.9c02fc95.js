export const __webpack_esm_ids__=[709];export const __webpack_esm_modules__={709(_,e,t){t.r(e),t.d(e,["note",0,"the first note"])}};
//# sourceMappingURL=709.9c02fc95.js.map