// The first page: a counter, a panel that a click loads, a worker.
import { Counter } from '../../components/counter.jsx';
import { Later } from '../../components/later.jsx';
import { Sum } from '../../components/sum.jsx';

export const Page = () => (
  <>
    <h1>The harbour</h1>
    <Counter start={1} />
    <Later />
    <Sum />
  </>
);
