// Written by hand in the shape of Parcel's bundles: the first page.
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
require.register('dvbFs', (module) => {
  module.exports = Promise.all([require('fFMZG')(import.meta.resolve('jHf0I')), import('50RpE')]).then(() => require('EfhnJ'));
});
require.register('4yLO9', (module) => {
  module.exports = import('dkCc3').then(() => require('lbOi8'));
});
const { button, line, picture } = require('k9CK1');
const logo = import.meta.resolve('3LdSj');
picture(new URL(logo).href);
line('Hello');
let count = 0;
button('Count', () => line(`counted ${++count}`));
button('Panel', async () => (await require('kP340')).open());
button('Chart', async () => (await require('dvbFs')).draw());
button('Data', async () => line((await require('4yLO9')).name));
const script = new URL(import.meta.resolve('g5kKs'));
button('Worker', () => {
  const worker = new Worker(script);
  worker.addEventListener('message', ({ data }) => line(`the worker says ${data}`));
  worker.postMessage(20);
});
const wasm = import.meta.resolve('kMPg8');
button('Wasm', async () => {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(new URL(wasm)));
  line(`2 + 3 is ${instance.exports.add(2, 3)}`);
});
const photo = import.meta.resolve('gC4L2');
button('Photo', () => picture(new URL(photo).href));
const words = import.meta.resolve('kcvxT');
button('Text', async () => line(await (await fetch(new URL(words))).text()));
