// Written by hand in the shape of webpack's ES modules: the modules of the first page, and a runtime.
const modules = {
  182(module, exports, r) {
    const chunks = { './first.js': [709, [709]], './second.js': [679, [679]] };
    module.exports = (path) => r.e(chunks[path][1][0]).then(() => r(chunks[path][0]));
  },
  164(module, exports, r) {
    const logo = new URL('../media/logo.7aa612ca.png', import.meta.url).href;
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
      const worker = new Worker(new URL('../js/495.6dd52488.js', import.meta.url), { type: 'module' });
      worker.addEventListener('message', ({ data }) => line(`the worker says ${data}`));
      worker.postMessage(20);
    });
    button('Wasm', async () => line(`2 + 3 is ${(await r.e(131).then(() => r(131))).add(2, 3)}`));
    button('Photo', () => picture(new URL('../media/photo.12d2c550.svg', import.meta.url).href));
    button('Text', async () => line(await (await fetch(new URL('../media/words.695bd0a8.txt', import.meta.url))).text()));
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
r.p = import.meta.url.replace(/[^/]+$/, '') + '../';
r.miniCssF = (id) => 'css/' + (407 === id ? 'panel' : id) + '.' + { 407: '7808eecb', 469: '02ed61c9' }[id] + '.css';
r.v = (exports, address) => fetch(address).then(async (wasm) => (await WebAssembly.instantiateStreaming(wasm)).instance.exports);
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
export { r as __webpack_require__ };
const ahead = { 40: () => new URL('../js/40.021dbb60.js', import.meta.url).href };
const imports = {
  692: () => import('../js/692.239939b6.js'),
  407: () => import('../js/panel.ed3a4166.js'),
  469: () => import('../js/469.961f7e8c.js'),
  957: () => import('../js/957.8dc4d30a.js'),
  40: () => import('../js/40.021dbb60.js'),
  131: () => import('../js/131.4bcb339b.js'),
  709: () => import('../js/709.9c02fc95.js'),
  679: () => import('../js/679.f6ebdb89.js'),
};
const state = { 792: true, 645: true };
const take = ({ __webpack_esm_ids__: ids, __webpack_esm_modules__: more }) => {
  Object.assign(modules, more);
  for (const id of ids) state[id] = true;
};
r.f.j = (id, waiting) => {
  if (state[id] !== true) waiting.push((state[id] ??= imports[id]().then(take)));
};
r.E = (id) => arrival('link', { rel: 'prefetch', as: 'script', href: ahead[id]() }).catch(() => {});
r.E(40);
r(164);
