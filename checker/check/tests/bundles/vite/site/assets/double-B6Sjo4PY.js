const e=e=>e*2;export{e as double};
//# sourceMappingURL=double-B6Sjo4PY.js.map