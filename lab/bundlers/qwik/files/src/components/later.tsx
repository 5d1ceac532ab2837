// Shows the panel on request.
import { component$, useSignal } from '@builder.io/qwik';
import { Panel } from './panel';

export const Later = component$(() => {
  const open = useSignal(false);
  return (
    <section>
      <button type="button" onClick$={() => (open.value = true)}>
        Open the panel
      </button>
      {open.value && <Panel />}
    </section>
  );
});
