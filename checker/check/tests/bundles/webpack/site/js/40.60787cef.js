"use strict";(self.webpackChunk=self.webpackChunk||[]).push([[40],{40(e,a,s){s.r(a);var h=s(646);s.d(a,["say",0,()=>(0,h.n8)("Fetched ahead")])}}]);
//# sourceMappingURL=40.60787cef.js.map