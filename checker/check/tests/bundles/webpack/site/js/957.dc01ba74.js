(self.webpackChunk = self.webpackChunk || []).push([
  [957],
  {
    957(module, exports, r) {
      module.exports = JSON.parse('{"name":"data that came late"}');
    },
  },
]);
