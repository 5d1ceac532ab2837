// The second page: data from build time, a counter, and a module that a click imports.
import { component$ } from '@builder.io/qwik';
import { routeLoader$ } from '@builder.io/qwik-city';
import { Counter } from '../../components/counter';
import { Tides } from '../../components/tide-table';

export const useGreeting = routeLoader$(() => 'Good day from the build');

export default component$(() => {
  const greeting = useGreeting();
  return (
    <>
      <h1>The second page</h1>
      <p>{greeting.value}</p>
      <Counter start={10} />
      <Tides />
    </>
  );
});
