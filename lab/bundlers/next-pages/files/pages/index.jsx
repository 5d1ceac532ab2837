// The first page: a counter, a panel that a click loads, a worker.
import Head from 'next/head';
import { Counter } from '../components/counter';
import { Later } from '../components/later';
import { Sum } from '../components/sum';

export default function Home() {
  return (
    <>
      <Head>
        <title>Harbour</title>
        <meta name="description" content="A small site about a harbour." />
      </Head>
      <h1>The harbour</h1>
      <Counter start={1} />
      <Later />
      <Sum />
    </>
  );
}
