// Hosts for the benchmark of external links: many addresses of this machine, each with its own time to answer. Runs as a
// worker, so that it answers while the benchmark waits for the program it measures.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * The delay of each host; its pages, if they are longer than a line; and the counts: requests, and the maximum at once on one host.
 *
 * @type {{ delays: number[], page?: string, counts: Int32Array }}
 */
const { delays, page, counts } = workerData;

const body = page ?? '<!doctype html><title>Page</title><p>Here.';

/**
 * A server that answers everything after a while.
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
 * Resolves with the port once a server listens.
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
 * The address of a host by its number.
 *
 * @param {number} number
 */
const addressOf = (number) => `127.1.${number >> 8}.${number & 255}`;

const port = await listening(host(delays[0] ?? 0), 0, addressOf(0));
await Promise.all(delays.slice(1).map((delay, number) => listening(host(delay), port, addressOf(number + 1))));
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(delays.map((_, number) => `http://${addressOf(number)}:${port}`));
