// Written by hand in the shape of Vite's chunks: the first page.
const __vite__mapDeps = (wanted, files = [
  'assets/panel-CRsiYASA.js',
  'assets/shade-Nn0TKqEJ.js',
  'assets/preload-helper-BTJQTseT.js',
  'assets/preload-helper-B8IY7_bn.css',
  'assets/panel-Doe5hTjv.css',
  'assets/chart-BCGDbKBp.js',
  'assets/chart-BTN2t3BD.css',
]) => wanted.map((at) => files[at]);
import { b as button, l as line, p as preload } from './preload-helper-BTJQTseT.js';
const logo = `/assets/logo-CT5FKdAF.png`;
const picture = (address) => {
  const made = new Image();
  made.alt = `picture`;
  made.src = address;
  document.querySelector(`main`).append(made);
};
picture(logo);
line(`Hello`);
let count = 0;
button(`Count`, () => line(`counted ${++count}`));
button(`Panel`, async () => (await preload(() => import(`./panel-CRsiYASA.js`), __vite__mapDeps([0, 1, 2, 3, 4]))).open());
button(`Chart`, async () => (await preload(async () => {
  const { draw } = await import(`./chart-BCGDbKBp.js`);
  return { draw };
}, __vite__mapDeps([5, 1, 2, 3, 6]))).draw());
button(`Data`, async () => line((await preload(() => import(`./data-BUBnc9RT.js`), [])).default.name));
const notes = {
  './notes/first.ts': () => preload(() => import(`./first-C__KVvVF.js`), []),
  './notes/second.ts': () => preload(() => import(`./second-DEOrbA9Y.js`), []),
};
button(`Notes`, async () => {
  for (const note of Object.values(notes)) line((await note()).note);
});
button(`Worker`, () => {
  const worker = new Worker(new URL(`/assets/worker-pOhlU-Qd.js`, `` + import.meta.url), { type: `module` });
  worker.addEventListener(`message`, ({ data }) => line(`the worker says ${data}`));
  worker.postMessage(20);
});
button(`Wasm`, async () => {
  const { default: start } = await preload(() => import(`./add-Dcc_myXm.js`), []);
  line(`2 + 3 is ${(await start()).exports.add(2, 3)}`);
});
button(`Photo`, () => picture(new URL(`/assets/photo-C2d7RZhI.svg`, `` + import.meta.url).href));
button(`Fetch`, async () => line(`the limit is ${(await (await fetch(`/limits.json`)).json()).limit}`));
