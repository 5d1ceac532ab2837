(self.webpackChunk = self.webpackChunk || []).push([
  [131],
  {
    131(module, exports, r) {
      module.exports = r.v(exports, module.id, 'faba6ceecfba607fc2b8');
    },
  },
]);
