// The first page: loads modules on clicks.
import logo from 'file:./logo.png';
import photo from 'file:./photo.svg';
import wasm from 'file:./add.wasm';
import address from 'worker:./worker.js';
import { button, line, picture } from './page.js';

picture(logo);
line('Hello');

let count = 0;
button('Count', () => line(`counted ${++count}`));
button('Panel', async () => (await import('./panel.js')).open());
button('Chart', async () => (await import('./chart.js')).draw());

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
