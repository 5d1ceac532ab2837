(self.webpackChunk = self.webpackChunk || []).push([
  [692],
  {
    692(module, exports, r) {
      const shades = ['white', 'silver', 'grey', 'slate', 'charcoal', 'black'];
      exports.shade = (number) => shades[number % shades.length];
    },
  },
]);
