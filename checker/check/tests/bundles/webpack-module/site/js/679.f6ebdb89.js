export const __webpack_esm_ids__=[679];export const __webpack_esm_modules__={679(_,e,o){o.r(e),o.d(e,["note",0,"the second note"])}};
//# sourceMappingURL=679.f6ebdb89.js.map