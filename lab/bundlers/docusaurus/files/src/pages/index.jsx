// The first page: a counter, a panel that a click loads, a worker.
import Link from '@docusaurus/Link';
import Layout from '@theme/Layout';
import { Counter } from '../components/counter';
import { Later } from '../components/later';
import { Sum } from '../components/sum';

export default function Home() {
  return (
    <Layout title="Home" description="A small site about a harbour.">
      <main className="container">
        <h1>The harbour</h1>
        <Counter start={1} />
        <Later />
        <Sum />
        <Link to="/docs/start/">The guide</Link>
      </main>
    </Layout>
  );
}
