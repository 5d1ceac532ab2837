(self.webpackChunk = self.webpackChunk || []).push([
  [709],
  {
    709(module, exports, r) {
      exports.note = 'the first note';
    },
  },
]);
