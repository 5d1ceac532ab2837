import{a as o}from"./chunk-3IY4COOF.js";var e=()=>o("Nobody else loads this");export{e as say};
//# sourceMappingURL=lonely-I5TKWNWO.js.map
