// A counter button, and a line that appears when it becomes visible.
import { component$, useSignal, useVisibleTask$ } from '@builder.io/qwik';
import styles from './counter.module.css';
import { plural } from './plural';

export const Counter = component$<{ start: number }>(({ start }) => {
  const count = useSignal(start);
  const alive = useSignal(false);
  useVisibleTask$(() => {
    alive.value = true;
  });
  return (
    <p class={styles.counter}>
      <button type="button" onClick$={() => (count.value += 1)}>
        Count
      </button>{' '}
      {plural(count.value, 'ship')} {alive.value && <em>alive</em>}
    </p>
  );
});
