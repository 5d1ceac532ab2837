// An npm registry on this machine, with the packages that `npm publish` sends to it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** @param {import('node:http').IncomingMessage} request */
async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Starts the registry, and returns its URL and how to stop it.
 *
 * @param {string} folder - Where it keeps the packages.
 */
export async function startRegistry(folder) {
  mkdirSync(folder, { recursive: true });
  const server = createServer(async (request, response) => {
    const [name = '', tarball] = decodeURIComponent((request.url ?? '').slice(1)).split('/-/');
    const file = join(folder, `${encodeURIComponent(name)}.json`);
    if (request.method === 'PUT') {
      writeFileSync(file, await bodyOf(request));
      response.writeHead(201).end('{}');
    } else if (existsSync(file)) {
      const { _attachments: attachments, ...about } = JSON.parse(readFileSync(file, 'utf8'));
      // The port changes from run to run.
      const own = JSON.stringify(about).replaceAll(/http:\/\/127\.0\.0\.1:\d+/gu, `http://${request.headers.host}`);
      const [sent] = Object.values(attachments);
      response.end(tarball === undefined ? own : Buffer.from(sent.data, 'base64'));
    } else {
      response.writeHead(404).end('{"error": "not found"}');
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${address.port}/`, stop: () => server.close() };
}
