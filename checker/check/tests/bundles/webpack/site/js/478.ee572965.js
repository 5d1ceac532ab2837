(self.webpackChunk = self.webpackChunk || []).push([
  [478],
  {
    478(module, exports, r) {
      exports.say = () => r(646).line('Nobody else loads this');
    },
  },
]);
