// The first page: a counter, a panel that a click loads, a worker, and listeners of the window and the document.
import { $, component$, useOnDocument, useOnWindow, useSignal } from '@builder.io/qwik';
import { Counter } from '../components/counter';
import { Later } from '../components/later';
import { Sum } from '../components/sum';

export default component$(() => {
  const width = useSignal('');
  const key = useSignal('');
  useOnWindow('load', $(() => (width.value = 'The window is loaded')));
  useOnDocument('click', $(() => (key.value = 'The document was clicked')));
  return (
    <>
      <h1>The harbour</h1>
      <p>
        {width.value} {key.value}
      </p>
      <Counter start={1} />
      <Later />
      <Sum />
    </>
  );
});
