(self.webpackChunk = self.webpackChunk || []).push([
  [407],
  {
    723(module, exports, r) {
      exports.open = () => {
        r(646).line(`The panel is ${r(692).shade(3)}`).className = 'panel';
      };
    },
  },
]);
