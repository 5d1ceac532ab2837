// The first page: a counter, a panel that a click loads, a worker.
import { Counter } from '../components/counter';
import { Later } from '../components/later';
import { Sum } from '../components/sum';

export default function Home() {
  return (
    <>
      <h1>The harbour</h1>
      <Counter start={1} />
      <Later />
      <Sum />
    </>
  );
}
