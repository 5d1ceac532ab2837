(self.webpackChunk = self.webpackChunk || []).push([
  [679],
  {
    679(module, exports, r) {
      exports.note = 'the second note';
    },
  },
]);
