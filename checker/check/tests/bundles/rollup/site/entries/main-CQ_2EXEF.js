import { p as picture, l as line, b as button } from '../chunks/page-ADaEo_hM.js';

var logo = new URL('../assets/logo-CT5FKdAF.png', import.meta.url).href;

var photo = new URL('../assets/photo-C2d7RZhI.svg', import.meta.url).href;

var wasm = new URL('../assets/add-DkMAU0Nf.wasm', import.meta.url).href;

var address = new URL('../chunks/worker-D4omwajG.js', import.meta.url).href;

// The first page: everything that a click brings.

picture(logo);
line('Hello');

let count = 0;
button('Count', () => line(`counted ${++count}`));
button('Panel', async () => (await import('../chunks/panel-CvtR4W_P.js')).open());
button('Chart', async () => (await import('../chunks/chart-DJImGdv4.js')).draw());

button('Worker', () => {
  const worker = new Worker(address, { type: 'module' });
  worker.addEventListener('message', ({ data }) => line(`the worker says ${data}`));
  worker.postMessage(20);
});

button('Wasm', async () => {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(wasm));
  line(`2 + 3 is ${instance.exports.add(2, 3)}`);
});

button('Photo', () => picture(photo));
//# sourceMappingURL=main-CQ_2EXEF.js.map
