// Written by hand in the shape of Vite's chunks: the second page.
const __vite__mapDeps = (wanted, files = [
  'assets/panel-CRsiYASA.js',
  'assets/shade-Nn0TKqEJ.js',
  'assets/preload-helper-BTJQTseT.js',
  'assets/preload-helper-B8IY7_bn.css',
  'assets/panel-Doe5hTjv.css',
  'assets/lonely-DgXhVcGD.js',
]) => wanted.map((at) => files[at]);
import { b as button, l as line, p as preload } from './preload-helper-BTJQTseT.js';
line(`About, by script`);
button(`Panel`, async () => (await preload(() => import(`./panel-CRsiYASA.js`), __vite__mapDeps([0, 1, 2, 3, 4]))).open());
button(`Lonely`, async () => (await preload(() => import(`./lonely-DgXhVcGD.js`), __vite__mapDeps([5, 2, 3]))).say());
