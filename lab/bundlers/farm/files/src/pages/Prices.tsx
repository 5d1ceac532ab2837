// A lazy page that loads its data later.
import { useState } from 'react';
import { Card } from '../Card';

export default function Prices() {
  const [figures, setFigures] = useState<number[]>([]);
  return (
    <Card title="Prices">
      <button type="button" onClick={() => void import('../figures.json').then((found) => setFigures([...(found as unknown as number[])]))}>Figures</button>
      {figures.map((figure) => <p key={figure}>{figure}</p>)}
    </Card>
  );
}
