var e=globalThis.parcelRequire94c2;(0,e.register)("iw8I6",function(r,i){Object.defineProperty(r.exports,"say",{get:()=>o,set:void 0,enumerable:!0,configurable:!0});var l=e("k9CK1");let o=()=>(0,l.line)("Nobody else loads this")});
//# sourceMappingURL=lonely.213481ca.js.map
