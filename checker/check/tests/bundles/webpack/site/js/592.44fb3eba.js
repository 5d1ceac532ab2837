(self.webpackChunk = self.webpackChunk || []).push([
  [592],
  {
    592(module, exports, r) {
      exports.double = (number) => number * 2;
    },
  },
]);
