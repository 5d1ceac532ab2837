// Imports the tide table on request.
import { useState } from 'react';

export function Tides() {
  const [tides, setTides] = useState([]);
  async function load() {
    const { table } = await import('./tides.js');
    setTides(table());
  }
  return (
    <section>
      <button type="button" onClick={load}>
        Show tides
      </button>
      <ul>
        {tides.map((tide) => (
          <li key={tide}>{tide}</li>
        ))}
      </ul>
    </section>
  );
}
