// The second page: a counter, and a module that a click imports.
import Layout from '@theme/Layout';
import { Counter } from '../components/counter';
import { Tides } from '../components/tide-table';

export default function Second() {
  return (
    <Layout title="Second" description="The second page of the harbour.">
      <main className="container">
        <h1>The second page</h1>
        <Counter start={10} />
        <Tides />
      </main>
    </Layout>
  );
}
