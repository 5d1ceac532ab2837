export const __webpack_esm_ids__=[40];export const __webpack_esm_modules__={40(_,e,s){s.r(e);var a=s(646);s.d(e,["say",0,()=>(0,a.n8)("Fetched ahead")])}};
//# sourceMappingURL=40.021dbb60.js.map