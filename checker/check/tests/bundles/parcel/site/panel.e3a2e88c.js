const require = globalThis.parcelRequire94c2;
require.register('iHtMI', (module, exports) => {
  const { line } = require('k9CK1');
  const { shade } = require('hBguq');
  exports.open = () => {
    line(`The panel is ${shade(3)}`).className = 'panel';
  };
});
require.register('hBguq', (module, exports) => {
  const shades = ['white', 'silver', 'grey', 'slate', 'charcoal', 'black'];
  exports.shade = (number) => shades[number % shades.length];
});
