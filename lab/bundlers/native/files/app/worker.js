// A module worker with a static and a lazy import.
import { half } from './half.js';

addEventListener('message', async ({ data }) => {
  const { square } = await import('./square.js');
  postMessage(square(half(data)));
});
