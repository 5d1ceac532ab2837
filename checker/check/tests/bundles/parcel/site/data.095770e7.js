(0,globalThis.parcelRequire94c2.register)("lbOi8",function(e,a){e.exports=JSON.parse('{"name":"data that came late"}')});
//# sourceMappingURL=data.095770e7.js.map
