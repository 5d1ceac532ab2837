"use strict";(self.webpackChunk=self.webpackChunk||[]).push([[679],{679(e,s,n){n.r(s),n.d(s,["note",0,"the second note"])}}]);
//# sourceMappingURL=679.1020f5b6.js.map