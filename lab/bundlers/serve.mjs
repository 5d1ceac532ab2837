// A static file server that can omit one file and logs the requested files.
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

/**
 * An export and its hosting: base path, host, omitted file, and fallback pages for unknown paths.
 *
 * @typedef {{ folder: string, mount: string, host?: string | undefined, missing?: string | undefined, fallbacks: string[] }} Site
 */

/** @type {Record<string, string>} */
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Hosts that serve `page.html` at `/page`. */
const extensionless = new Set(['github-pages', 'netlify']);

/** @param {string} path */
const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
/** @param {string} path */
const isFolder = (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Returns the file for a path below the mount, or a redirect.
 *
 * @param {Site} site
 * @param {string} path
 * @returns {{ file?: string, redirect?: boolean }}
 */
function find({ folder, host, missing }, path) {
  /** @param {string} file */
  const there = (file) => file !== missing && isFile(join(folder, file));
  if (path.endsWith('/') || path === '') return there(`${path}index.html`) ? { file: `${path}index.html` } : {};
  if (there(path)) return { file: path };
  if (host !== undefined && extensionless.has(host) && there(`${path}.html`)) return { file: `${path}.html` };
  return isFolder(join(folder, path)) && there(`${path}/index.html`) ? { redirect: true } : {};
}

/**
 * Returns the file for a path if none were missing.
 *
 * @param {Site} site
 * @param {string} path
 */
const asked = (site, path) => find({ ...site, missing: undefined }, path).file;

/**
 * @param {Site} site
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {Set<string | undefined>} log
 */
function answer(site, request, response, log) {
  const { pathname, search } = new URL(request.url ?? '/', 'http://site');
  const headers = { 'cache-control': 'no-store' };
  let path = '..';
  try {
    path = decodeURIComponent(pathname);
  } catch {
    // A malformed URL matches no file.
  }
  const inside = path.startsWith(site.mount) && !path.split('/').includes('..');
  const below = path.slice(site.mount.length);
  if (inside) log.add(asked(site, below));
  const { file, redirect } = inside ? find(site, below) : {};
  if (redirect) {
    response.writeHead(301, { ...headers, location: `${pathname}/${search}` }).end();
    return;
  }
  const sent = file ?? '404.html';
  const body = file !== undefined || isFile(join(site.folder, sent)) ? readFileSync(join(site.folder, sent)) : 'Not found';
  const type = types[extname(sent)] ?? 'application/octet-stream';
  response.writeHead(file === undefined ? 404 : 200, { ...headers, 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/**
 * Serves an export, `{ folder, mount, host, missing }`, until it is closed.
 *
 * `log` has the requested files, including missing ones. `quiet()` returns the milliseconds since the last request.
 *
 * @param {Site} site
 */
export async function serve(site) {
  /** @type {Set<string | undefined>} */
  const log = new Set();
  let last = performance.now();
  const server = createServer((request, response) => {
    last = performance.now();
    answer(site, request, response, log);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    origin: `http://127.0.0.1:${port}`,
    log,
    quiet: () => performance.now() - last,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
