// Written by hand in the shape of webpack's ES modules: a worker, which has a runtime of its own.
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
r.p = import.meta.url.replace(/[^/]+$/, '') + '../';
r.miniCssF = (id) => {};
const imports = {
  592: () => import('../js/592.1a68ddfc.js'),
};
const state = { 495: true, 645: true };
const take = ({ __webpack_esm_ids__: ids, __webpack_esm_modules__: more }) => {
  Object.assign(modules, more);
  for (const id of ids) state[id] = true;
};
r.f.j = (id, waiting) => {
  if (state[id] !== true) waiting.push((state[id] ??= imports[id]().then(take)));
};
addEventListener('message', async ({ data }) => {
  const { double } = await r.e(592).then(() => r(592));
  postMessage(double(data));
});
