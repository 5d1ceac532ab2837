// Imports the tide table on request.
import { component$, useSignal } from '@builder.io/qwik';

export const Tides = component$(() => {
  const tides = useSignal<string[]>([]);
  return (
    <section>
      <button
        type="button"
        onClick$={async () => {
          const { table } = await import('./tides.js');
          tides.value = table();
        }}
      >
        Show tides
      </button>
      <ul>
        {tides.value.map((tide) => (
          <li key={tide}>{tide}</li>
        ))}
      </ul>
    </section>
  );
});
