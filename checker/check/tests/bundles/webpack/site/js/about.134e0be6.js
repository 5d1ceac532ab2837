// Written by hand in the shape of webpack's scripts: the modules of the second page, and a runtime with a single style sheet.
(() => {
  const modules = {
    820(module, exports, r) {
      const { button, line } = r(646);
      line('About, by script');
      button('Panel', async () => (await Promise.all([r.e(692), r.e(407)]).then(() => r(723))).open());
      button('Lonely', async () => (await r.e(478).then(() => r(478))).say());
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
  r.p = document.currentScript.src.replace(/[^/]+$/, '') + '../';
  r.u = (id) => 'js/' + (407 === id ? 'panel' : id) + '.' + { 407: 'ace2c474', 478: 'ee572965', 692: 'c6dc24aa' }[id] + '.js';
  r.miniCssF = (id) => 'css/panel.7808eecb.css';
  const arrival = (name, properties) =>
    new Promise((arrived, failed) => {
      const element = Object.assign(document.createElement(name), properties);
      element.addEventListener('load', arrived);
      element.addEventListener('error', failed);
      document.head.append(element);
    });
  const styles = {};
  r.f.miniCss = (id, waiting) => {
    if ({ 407: 1 }[id]) waiting.push((styles[id] ??= arrival('link', { rel: 'stylesheet', href: r.p + r.miniCssF(id) })));
  };
  const state = { 594: true, 645: true };
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
  r(820);
})();
