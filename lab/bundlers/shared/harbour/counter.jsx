// A counter button, and a line that appears after hydration.
import { useEffect, useState } from 'react';
import styles from './counter.module.css';
import { plural } from './plural.js';

export function Counter({ start }) {
  const [count, setCount] = useState(start);
  const [alive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return (
    <p className={styles.counter}>
      <button type="button" onClick={() => setCount(count + 1)}>
        Count
      </button>{' '}
      {plural(count, 'ship')} {alive && <em>alive</em>}
    </p>
  );
}
