// Registers a service worker that caches files, and shows the result.
import { button, line } from 'page';

button('Register', async () => {
  const registration = await navigator.serviceWorker.register('service-worker.js');
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  const told = () => line(`the service worker is ${worker.state === 'redundant' ? 'redundant' : 'ready'}`);
  if (worker.state === 'activated') told();
  else worker.addEventListener('statechange', () => ['activated', 'redundant'].includes(worker.state) && told());
});
