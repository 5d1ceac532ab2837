// A lazy page that computes.
import { useState } from 'react';
import { Card } from '../Card';

export default function Team() {
  const [answer, setAnswer] = useState('');
  return (
    <Card title="Team">
      <button type="button" onClick={() => setAnswer('there are 40')}>Ask</button>
      <p>{answer}</p>
    </Card>
  );
}
