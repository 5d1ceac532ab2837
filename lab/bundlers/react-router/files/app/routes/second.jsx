// The second page: data, a counter, and a module that a click imports.
import { useLoaderData } from 'react-router';
import { Counter } from '../components/counter.jsx';
import { Tides } from '../components/tide-table.jsx';

export const meta = () => [{ title: 'Second | Harbour' }, { name: 'description', content: 'The second page of the harbour.' }];

export const clientLoader = () => ({ greeting: 'Welcome aboard' });

export default function Second() {
  const { greeting } = useLoaderData();
  return (
    <>
      <h1>The second page</h1>
      <p>{greeting}</p>
      <Counter start={10} />
      <Tides />
    </>
  );
}
