// Written by hand in the shape of Parcel's bundles: a classic worker, with a list as import map.
(() => {
  if (globalThis.parcelRequire94c2 === undefined) {
    const registered = {};
    const made = {};
    globalThis.parcelRequire94c2 = (id) => {
      if (made[id] === undefined) {
        made[id] = { id, exports: {} };
        registered[id](made[id], made[id].exports);
      }
      return made[id].exports;
    };
    globalThis.parcelRequire94c2.register = (id, module) => {
      registered[id] = module;
    };
  }
  const require = globalThis.parcelRequire94c2;
  require.register('eiqff', () => {
    addEventListener('message', async ({ data }) => {
      const { double } = await require('cKNKi');
      postMessage(double(data));
    });
  });
  require.register('cKNKi', (module) => {
    const brought = (id) => importScripts(new URL('./' + require.i[id], self.location.href).href);
    module.exports = Promise.resolve(brought('xYiyq')).then(() => require('duCxs'));
  });
  Object.assign((require.i ??= {}), { xYiyq: 'double.911b8d46.js' });
  require('eiqff');
})();
