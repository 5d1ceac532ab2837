// Written by hand in the shape of webpack's scripts: a worker, which has a runtime of its own.
(() => {
  const modules = {};
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
  r.p = self.location.href.replace(/[^/]+$/, '') + '../';
  r.u = (id) => 'js/' + id + '.44fb3eba.js';
  r.miniCssF = (id) => {};
  r.g = globalThis;
  const there = { 495: 1 };
  const take = ([ids, more]) => {
    Object.assign(modules, more);
    for (const id of ids) there[id] = 1;
  };
  r.f.i = (id) => {
    if (!there[id]) r.g.importScripts(r.p + r.u(id));
  };
  const chunks = (self.webpackChunk = self.webpackChunk || []);
  chunks.push = take;
  addEventListener('message', async ({ data }) => {
    const { double } = await r.e(592).then(() => r(592));
    postMessage(double(data));
  });
})();
