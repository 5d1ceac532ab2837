// Adds numbers in a worker.
import { useState } from 'react';

export function Sum() {
  const [sum, setSum] = useState('');
  function add() {
    const worker = new Worker(new URL('./sum.worker.js', import.meta.url));
    worker.addEventListener('message', ({ data }) => setSum(`The sum is ${data}`));
    worker.postMessage(100);
  }
  return (
    <p>
      <button type="button" onClick={add}>
        Add
      </button>{' '}
      {sum}
    </p>
  );
}
