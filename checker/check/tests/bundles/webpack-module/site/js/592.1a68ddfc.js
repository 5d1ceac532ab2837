export const __webpack_esm_ids__=[592];export const __webpack_esm_modules__={592(_,e,o){o.d(e,["double",0,_=>2*_])}};
//# sourceMappingURL=592.1a68ddfc.js.map