// The first page: loads modules on clicks.
import logo from './logo.png';
import settings from './settings.json';
import { button, line } from './page';

const image = new Image();
image.alt = 'logo';
image.src = logo;
document.querySelector('main')!.append(image);
line(`Hello, ${settings.greeting}`);

let count = 0;
button('Count', () => void line(`counted ${++count}`));
button('Panel', async () => (await import('./panel')).open());
button('Chart', async () => (await import('./chart')).draw());
button('Data', async () => void line((await import('./data.json')).default.name));

const notes = import.meta.glob<{ note: string }>('./notes/*.ts');
button('Notes', async () => {
  for (const load of Object.values(notes)) line((await load()).note);
});

button('Worker', () => {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }) => line(`the worker says ${data}`));
  worker.postMessage(20);
});

button('Wasm', async () => {
  const { default: load } = await import('./wasm/add.wasm?init');
  const { exports } = await load();
  line(`2 + 3 is ${(exports.add as (a: number, b: number) => number)(2, 3)}`);
});

button('Photo', () => {
  const photo = new Image();
  photo.alt = 'photo';
  photo.src = new URL('./photo.svg', import.meta.url).href;
  document.querySelector('main')!.append(photo);
});

button('Fetch', async () => {
  const answer = await fetch(`${import.meta.env.BASE_URL}limits.json`);
  line(`the limit is ${(await answer.json()).limit}`);
});
