// The first page: loads modules on clicks.
import wasm from './add.wasm';
import logo from './logo.png';
import { button, line, picture } from './page.js';
import photo from './photo.svg';
import settings from './settings.json';

const here = (path) => new URL(path, import.meta.url).href;

picture(here(logo));
line(`Hello, ${settings.greeting}`);

let count = 0;
button('Count', () => line(`counted ${++count}`));
button('Panel', async () => (await import('./panel.js')).open());
button('Chart', async () => (await import('./chart.js')).draw());
button('Data', async () => line((await import('./data.json', { with: { type: 'json' } })).default.name));

button('Worker', () => {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }) => line(`the worker says ${data}`));
  worker.postMessage(20);
});

button('Wasm', async () => {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(here(wasm)));
  line(`2 + 3 is ${instance.exports.add(2, 3)}`);
});

button('Photo', () => picture(here(photo)));
