// The second page: data from build time, a counter, and a module that a click imports.
import Head from 'next/head';
import { Counter } from '../components/counter';
import { Tides } from '../components/tide-table';

export default function Second({ greeting }) {
  return (
    <>
      <Head>
        <title>Second | Harbour</title>
        <meta name="description" content="The second page of the harbour." />
      </Head>
      <h1>The second page</h1>
      <p>{greeting}</p>
      <Counter start={10} />
      <Tides />
    </>
  );
}

export const getStaticProps = () => ({ props: { greeting: 'Welcome aboard' } });
