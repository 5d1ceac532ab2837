(() => {
  const require = globalThis.parcelRequire94c2;
  require.register('duCxs', (module, exports) => {
    exports.double = (number) => number * 2;
  });
})();
