// The first page: loads modules on clicks.
import logo from './logo.png';
import { button, line, picture } from './page.js';
import settings from './settings.json';

picture(logo);
line(`Hello, ${settings.greeting}`);

let count = 0;
button('Count', () => line(`counted ${++count}`));
button('Panel', async () => (await import(/* webpackChunkName: "panel" */ './panel.js')).open());
button('Chart', async () => (await import('./chart.js')).draw());
button('Data', async () => line((await import('./data.json')).default.name));
button('Ahead', async () => (await import(/* webpackPrefetch: true */ './ahead.js')).say());

button('Notes', async () => {
  for (const name of ['first', 'second']) line((await import(`./notes/${name}.js`)).note);
});

button('Worker', () => {
  const worker = new Worker(new URL('./worker.js', import.meta.url));
  worker.addEventListener('message', ({ data }) => line(`the worker says ${data}`));
  worker.postMessage(20);
});

button('Wasm', async () => line(`2 + 3 is ${(await import('./add.wasm')).add(2, 3)}`));
button('Photo', () => picture(new URL('./photo.svg', import.meta.url).href));
button('Text', async () => line(await (await fetch(new URL('./words.txt', import.meta.url))).text()));
