"use strict";(self.webpackChunk=self.webpackChunk||[]).push([[709],{709(e,s,t){t.r(s),t.d(s,["note",0,"the first note"])}}]);
//# sourceMappingURL=709.f9c26b2e.js.map