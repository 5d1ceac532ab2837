const require = globalThis.parcelRequire94c2;
require.register('iw8I6', (module, exports) => {
  exports.say = () => require('k9CK1').line('Nobody else loads this');
});
