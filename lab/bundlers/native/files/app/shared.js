// A shared worker.
import { half } from './half.js';

addEventListener('connect', ({ ports: [port] }) => {
  port.addEventListener('message', ({ data }) => port.postMessage(half(data)));
  port.start();
});
