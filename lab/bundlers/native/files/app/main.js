// The first page: everything that a click brings, by the import map and without.
import { button, line, picture } from 'page';
import settings from 'settings';
import { shade } from 'lib/shade.js';
export * from './again.js';

line(`Hello, ${settings.greeting}, ${shade(2)}`);

let count = 0;
button('Count', () => line(`counted ${++count}`));
button('Words', async () => line((await import('./pages/words-page.js')).text));
button('Chart', async () => (await import('lib/chart.js')).draw());
button('Data', async () => line((await import('./data.json', { with: { type: 'json' } })).default.name));
button('Template', async () => (await import(`./template.js`)).say());

button('Sheet', async () => {
  const { default: sheet } = await import('../styles/lazy.css', { with: { type: 'css' } });
  document.adoptedStyleSheets.push(sheet);
  line('A style sheet as a module').className = 'lazy';
});

button('Wasm', async () => {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(new URL('./add.wasm', import.meta.url)));
  line(`2 + 3 is ${instance.exports.add(2, 3)}`);
});

button('Worker', () => {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }) => line(`the worker says ${data}`));
  worker.postMessage(20);
});

button('Shared', () => {
  const { port } = new SharedWorker(new URL('shared.js', import.meta.url), { name: 'shared', type: 'module' });
  port.addEventListener('message', ({ data }) => line(`the shared worker says ${data}`));
  port.start();
  port.postMessage(30);
});

button('Resolved', () => picture(import.meta.resolve('lib/photo.svg')));
button('Logo', () => picture(new URL('logo.png', import.meta.url).href));
button('Limits', async () => line(`the limit is ${(await (await fetch('app/limits.json')).json()).limit}`));

button('Perhaps', async () => {
  try {
    line((await import('./perhaps.js')).text);
  } catch {
    line('perhaps not');
  }
});

button('Absent', async () => {
  const found = await import('./not-there.js').catch(() => ({ text: 'not there, and caught' }));
  line(found.text);
});
