// Adds numbers in a worker.
import { component$, useSignal } from '@builder.io/qwik';

export const Sum = component$(() => {
  const sum = useSignal('');
  return (
    <p>
      <button
        type="button"
        onClick$={() => {
          const worker = new Worker(new URL('./sum.worker.js', import.meta.url), { type: 'module' });
          worker.addEventListener('message', ({ data }) => (sum.value = `The sum is ${data}`));
          worker.postMessage(100);
        }}
      >
        Add
      </button>{' '}
      {sum.value}
    </p>
  );
});
