// The second page: a counter, and a module that a click imports.
import { Counter } from '../../components/counter';
import { Tides } from '../../components/tides';

export const metadata = { title: 'Second' };

export default function Second() {
  return (
    <>
      <h1>The second page</h1>
      <Counter start={10} />
      <Tides />
    </>
  );
}
