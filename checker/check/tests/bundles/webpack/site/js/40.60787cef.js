(self.webpackChunk = self.webpackChunk || []).push([
  [40],
  {
    40(module, exports, r) {
      exports.say = () => r(646).line('Fetched ahead');
    },
  },
]);
