(self.webpackChunk = self.webpackChunk || []).push([
  [469],
  {
    469(module, exports, r) {
      exports.draw = () => {
        r(646).line(`A chart, ${r(692).shade(5)}`).className = 'chart';
      };
    },
  },
]);
