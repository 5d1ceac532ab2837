// The first page: loads modules on clicks.
import { button, line, picture } from './page.js';
import settings from './settings.json';

picture(new URL('./logo.png', import.meta.url).href);
line(`Hello, ${settings.greeting}`);

let count = 0;
button('Count', () => line(`counted ${++count}`));
button('Panel', async () => (await import('./panel.js')).open());
button('Chart', async () => (await import('./chart.js')).draw());
button('Data', async () => line((await import('./data.json')).name));

button('Worker', () => {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }) => line(`the worker says ${data}`));
  worker.postMessage(20);
});

button('Wasm', async () => {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(new URL('./add.wasm', import.meta.url)));
  line(`2 + 3 is ${instance.exports.add(2, 3)}`);
});

button('Photo', () => picture(new URL('./photo.svg', import.meta.url).href));
button('Text', async () => line(await (await fetch(new URL('./words.txt', import.meta.url))).text()));
