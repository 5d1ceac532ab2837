// The second page: data from build time, a counter, and a module that a click imports.
import { useData } from 'vike-react/useData';
import { Counter } from '../../components/counter.jsx';
import { Tides } from '../../components/tide-table.jsx';

export function Page() {
  const { greeting } = useData();
  return (
    <>
      <h1>The second page</h1>
      <p>{greeting}</p>
      <Counter start={10} />
      <Tides />
    </>
  );
}
