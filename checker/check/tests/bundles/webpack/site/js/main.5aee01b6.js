// Written by hand in the shape of webpack's scripts: the modules of the first page, and a runtime.
(() => {
  const modules = {
    182(module, exports, r) {
      const chunks = { './first.js': [709, [709]], './second.js': [679, [679]] };
      module.exports = (path) => r.e(chunks[path][1][0]).then(() => r(chunks[path][0]));
    },
    284(module, exports, r) {
      module.exports = r.p + 'media/photo.12d2c550.svg';
    },
    197(module, exports, r) {
      module.exports = r.p + 'media/words.695bd0a8.txt';
    },
    164(module, exports, r) {
      const logo = r.p + 'media/logo.7aa612ca.png';
      const { button, line, picture } = r(646);
      picture(logo);
      line('Hello');
      let count = 0;
      button('Count', () => line(`counted ${++count}`));
      button('Panel', async () => (await Promise.all([r.e(692), r.e(407)]).then(() => r(723))).open());
      button('Chart', async () => (await Promise.all([r.e(692), r.e(469)]).then(() => r(469))).draw());
      button('Data', async () => line((await r.e(957).then(() => r(957))).name));
      button('Ahead', async () => (await r.e(40).then(() => r(40))).say());
      button('Notes', async () => {
        for (const name of ['first', 'second']) line((await r(182)(`./${name}.js`)).note);
      });
      button('Worker', () => {
        const worker = new Worker(new URL(r.p + r.u(495), r.b));
        worker.addEventListener('message', ({ data }) => line(`the worker says ${data}`));
        worker.postMessage(20);
      });
      button('Wasm', async () => line(`2 + 3 is ${(await r.e(131).then(() => r(131))).add(2, 3)}`));
      button('Photo', () => picture(new URL(r(284), r.b).href));
      button('Text', async () => line(await (await fetch(new URL(r(197), r.b))).text()));
    },
    646(module, exports, r) {
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
    },
  };
  const made = new Map();
  function r(id) {
    if (!made.has(id)) {
      const module = { id, exports: {} };
      made.set(id, module);
      modules[id](module, module.exports, r);
    }
    return made.get(id).exports;
  }
  r.m = modules;
  r.f = {};
  r.e = (id) => {
    const waiting = [];
    for (const load of Object.values(r.f)) load(id, waiting);
    return Promise.all(waiting);
  };
  r.b = document.baseURI;
  r.p = document.currentScript.src.replace(/[^/]+$/, '') + '../';
  r.u = (id) =>
    'js/' + (407 === id ? 'panel' : id) + '.' +
    { 40: '60787cef', 131: 'a2474370', 407: 'ace2c474', 469: '165aef10', 495: '3ceac8ce', 679: '1020f5b6', 692: 'c6dc24aa', 709: 'f9c26b2e', 957: 'dc01ba74' }[id] +
    '.js';
  r.miniCssF = (id) => 'css/' + (407 === id ? 'panel' : id) + '.' + { 407: '7808eecb', 469: '02ed61c9' }[id] + '.css';
  r.v = (exports, id, hash) => fetch(r.p + '' + hash + '.module.wasm').then(async (wasm) => (await WebAssembly.instantiateStreaming(wasm)).instance.exports);
  const arrival = (name, properties) =>
    new Promise((arrived, failed) => {
      const element = Object.assign(document.createElement(name), properties);
      element.addEventListener('load', arrived);
      element.addEventListener('error', failed);
      document.head.append(element);
    });
  const styles = {};
  r.f.miniCss = (id, waiting) => {
    if ({ 407: 1, 469: 1 }[id]) waiting.push((styles[id] ??= arrival('link', { rel: 'stylesheet', href: r.p + r.miniCssF(id) })));
  };
  const state = { 792: true, 645: true };
  const take = ([ids, more]) => {
    Object.assign(modules, more);
    for (const id of ids) state[id] = true;
  };
  const chunks = (self.webpackChunk = self.webpackChunk || []);
  chunks.forEach(take);
  chunks.push = take;
  r.f.j = (id, waiting) => {
    if (state[id] !== true && 645 != id) waiting.push((state[id] ??= arrival('script', { src: r.p + r.u(id) })));
  };
  r.E = (id) => arrival('link', { rel: 'prefetch', as: 'script', href: r.p + r.u(id) }).catch(() => {});
  r.E(40);
  r(164);
})();
