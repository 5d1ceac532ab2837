"use strict";(self.webpackChunk=self.webpackChunk||[]).push([[592],{592(e,s,u){u.d(s,["double",0,e=>2*e])}}]);
//# sourceMappingURL=592.44fb3eba.js.map