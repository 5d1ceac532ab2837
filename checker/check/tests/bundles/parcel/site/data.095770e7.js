globalThis.parcelRequire94c2.register('lbOi8', (module) => {
  module.exports = JSON.parse('{"name":"data that came late"}');
});
