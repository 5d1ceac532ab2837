// Serves the export the way a bucket behind a CDN does, with the strict policy on every answer. For tests only.
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

/** The policy that every page must live with. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const types = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json'],
  ['.woff2', 'font/woff2'],
  ['.xml', 'application/xml; charset=utf-8'],
]);

/**
 * The file for a path: itself, or the index.html of its folder.
 *
 * @param {string} root - Folder of the export.
 * @param {string} path - Decoded path of the request.
 * @returns {Promise<string | undefined>} A file, where there is one.
 */
async function fileFor(root, path) {
  for (const candidate of [join(root, normalize(path)), join(root, normalize(path), 'index.html')]) {
    if (candidate.startsWith(root) && (await stat(candidate).catch(() => undefined))?.isFile()) return candidate;
  }
  return undefined;
}

/**
 * Starts serving on a free port of 127.0.0.1.
 *
 * @param {string} root - Folder of the export.
 * @param {number} [port] - A port, where it must be a certain one.
 * @returns {Promise<{ origin: string, close: () => Promise<void> }>} Where it serves, and how to end it.
 */
export async function serve(root, port = 0) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const found = await fileFor(root, path);
    const file = found ?? join(root, '404.html');
    response.writeHead(found === undefined ? 404 : 200, {
      'content-type': types.get(extname(file)) ?? 'application/octet-stream',
      'content-security-policy': contentSecurityPolicy,
    });
    response.end(await readFile(file));
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the test server has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve(undefined));
        server.closeAllConnections();
      }),
  };
}
