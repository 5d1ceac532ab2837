// Written by hand in the shape of Parcel's bundles: the second page.
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
require.register('k9CK1', (module, exports) => {
  const main = () => document.querySelector('main');
  exports.line = (text) => {
    const made = document.createElement('p');
    made.textContent = text;
    main().append(made);
    return made;
  };
  exports.button = (name, act) => {
    const made = document.createElement('button');
    made.textContent = name;
    made.addEventListener('click', () => void act());
    main().append(made);
  };
  exports.picture = (address) => {
    const made = new Image();
    made.alt = 'picture';
    made.src = address;
    main().append(made);
  };
});
require.register('fFMZG', (module) => {
  module.exports = (address) =>
    new Promise((arrived, failed) => {
      const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address, onload: arrived, onerror: failed });
      document.head.append(link);
    });
});
require.register('kP340', (module) => {
  module.exports = Promise.all([require('fFMZG')(import.meta.resolve('ckrOY')), import('7xh63')]).then(() => require('iHtMI'));
});
require.register('9m0TE', (module) => {
  module.exports = import('loAo5').then(() => require('iw8I6'));
});
const { button, line } = require('k9CK1');
line('About, by script');
button('Panel', async () => (await require('kP340')).open());
button('Lonely', async () => (await require('9m0TE')).say());
