// The first page: a counter, a panel that a click loads, a worker.
import { Counter } from '../components/counter';
import { Frame, Title } from '../components/frame';
import { Later } from '../components/later';
import { Sum } from '../components/sum';

export const Head = () => <Title title="Harbour" description="A small site about a harbour." />;

export default function Home() {
  return (
    <Frame>
      <h1>The harbour</h1>
      <Counter start={1} />
      <Later />
      <Sum />
    </Frame>
  );
}
