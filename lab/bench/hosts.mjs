// Hosts for the benchmark of external links: many addresses of this machine, each with its own delay. Runs as a worker, so
// that it answers while the benchmark waits for the measured program.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * The delay of each host, the content of pages if it is more than a line, and the counts: requests, and the maximum of
 * concurrent requests to one host.
 *
 * @type {{ delays: number[], page?: string, counts: Int32Array }}
 */
const { delays, page, counts } = workerData;

const body = page ?? '<!doctype html><title>Page</title><p>Here.';

/**
 * Creates a server that answers all requests after a delay.
 *
 * @param {number} delay
 */
function host(delay) {
  let open = 0;
  const server = createServer((request, response) => {
    Atomics.add(counts, 0, 1);
    open += 1;
    if (open > Atomics.load(counts, 1)) Atomics.store(counts, 1, open);
    setTimeout(() => {
      open -= 1;
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(body) });
      response.end(request.method === 'HEAD' ? undefined : body);
    }, delay);
  });
  server.keepAliveTimeout = 60_000;
  return server;
}

/**
 * Resolves with the port when a server listens.
 *
 * @param {import('node:http').Server} server
 * @param {number} port
 * @param {string} address
 */
async function listening(server, port, address) {
  await once(server.listen(port, address), 'listening');
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

/**
 * Returns the address of a host by its number.
 *
 * @param {number} number
 */
const addressOf = (number) => `127.1.${number >> 8}.${number & 255}`;

const port = await listening(host(delays[0] ?? 0), 0, addressOf(0));
await Promise.all(delays.slice(1).map((delay, number) => listening(host(delay), port, addressOf(number + 1))));
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(delays.map((_, number) => `http://${addressOf(number)}:${port}`));
