"use strict";(self.webpackChunk=self.webpackChunk||[]).push([[478],{478(s,e,a){a.r(e);var h=a(646);a.d(e,["say",0,()=>(0,h.n8)("Nobody else loads this")])}}]);
//# sourceMappingURL=478.ee572965.js.map