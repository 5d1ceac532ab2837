// An app of two lazy pages and a lazy panel.
import '@fontsource-variable/jetbrains-mono';
import { StrictMode, Suspense, lazy, useState } from 'react';
import { createRoot } from 'react-dom/client';
import logo from './logo.png';
import './app.css';

const pages = { Prices: lazy(() => import('./pages/Prices')), Team: lazy(() => import('./pages/Team')) };
const Panel = lazy(() => import('./Panel').then(({ Panel: default_ }) => ({ default: default_ })));

function App() {
  const [count, setCount] = useState(0);
  const [panel, setPanel] = useState(false);
  const [name, setName] = useState<keyof typeof pages>();
  const Page = name === undefined ? undefined : pages[name];
  return (
    <main>
      <h1>App</h1>
      <img src={logo} alt="logo" />
      <button type="button" onClick={() => setCount(count + 1)}>Count {count}</button>
      <button type="button" onClick={() => setName('Prices')}>Prices</button>
      <button type="button" onClick={() => setName('Team')}>Team</button>
      <button type="button" onClick={() => setPanel(true)}>Panel</button>
      <Suspense fallback={<p>Loading</p>}>
        {Page && <Page />}
        {panel && <Panel />}
      </Suspense>
    </main>
  );
}

createRoot(document.querySelector('#root')!).render(<StrictMode><App /></StrictMode>);
