var e=o=>o*2;export{e as double};
//# sourceMappingURL=worker-double-GDXGQRM2.js.map
