const require = globalThis.parcelRequire94c2;
require.register('EfhnJ', (module, exports) => {
  const { line } = require('k9CK1');
  const { shade } = require('hBguq');
  exports.draw = () => {
    line(`A chart, ${shade(5)}`).className = 'chart';
  };
});
require.register('hBguq', (module, exports) => {
  const shades = ['white', 'silver', 'grey', 'slate', 'charcoal', 'black'];
  exports.shade = (number) => shades[number % shades.length];
});
