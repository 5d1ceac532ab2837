// A lazy page that uses a worker.
import { useState } from 'react';
import { Card } from '../Card';
import Worker from '../worker?worker';

export default function Team() {
  const [answer, setAnswer] = useState('');
  const ask = () => {
    const worker = new Worker();
    worker.addEventListener('message', ({ data }) => setAnswer(`the worker says ${data}`));
    worker.postMessage(20);
  };
  return (
    <Card title="Team">
      <button type="button" onClick={ask}>Ask</button>
      <p>{answer}</p>
    </Card>
  );
}
