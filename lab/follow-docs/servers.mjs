// The servers of the local network: a registry with the local packages, a bucket store (moto), and www.example.com with TLS.
//
//   node servers.mjs FOLDER     FOLDER has the packages, the certificate, and `site`, the export that is live
//
// After a request for `/from-bucket`, www.example.com is the bucket `my-site`.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { extname, join } from 'node:path';
import { execFileSync } from 'node:child_process';

const [folder = ''] = process.argv.slice(2);

const packages = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .map((file) => {
      const manifest = JSON.parse(execFileSync('tar', ['-xzOf', join(folder, file), 'package/package.json'], { encoding: 'utf8' }));
      return [manifest.name, { manifest, file, shasum: createHash('sha1').update(readFileSync(join(folder, file))).digest('hex') }];
    }),
);
const version = packages['sitegate']?.manifest.version;

/**
 * Returns the registry's document about a package. Programs of other platforms are listed, but not available.
 *
 * @param {string} name
 */
function packument(name) {
  const [, os, cpu] = /^@sitegate\/(\w+)-(\w+)$/.exec(name) ?? [];
  const found = packages[name];
  if (!found && !os) return undefined;
  const manifest = found?.manifest ?? { name, version, os: [os], cpu: [cpu] };
  const dist = { tarball: `http://127.0.0.1:4873/-/${found?.file ?? 'none'}`, shasum: found?.shasum ?? '0'.repeat(40) };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

createServer((request, response) => {
  const path = decodeURIComponent(request.url ?? '/').slice(1);
  if (path.startsWith('-/') && existsSync(join(folder, path.slice(2)))) {
    response.end(readFileSync(join(folder, path.slice(2))));
    return;
  }
  const found = packument(path);
  response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(found ?? { error: 'not found' }));
}).listen(4873, '127.0.0.1');

/** @type {Record<string, string>} */
const types = { '.html': 'text/html; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml' };
let isBucket = false;

/**
 * Returns the answer of the site to a path: from the folder of the export, or from the bucket.
 *
 * @param {string} path
 * @returns {Promise<{ body: Buffer, headers: Record<string, string> } | undefined>}
 */
async function answer(path) {
  const key = path.endsWith('/') ? `${path}index.html` : path;
  if (!isBucket) {
    const file = join(folder, 'site', key);
    if (!existsSync(file) || extname(file) === '') return undefined;
    return { body: readFileSync(file), headers: { 'content-type': types[extname(file)] ?? 'application/octet-stream' } };
  }
  const stored = await fetch(`http://127.0.0.1:5000/my-site${key}`);
  if (!stored.ok) return undefined;
  const names = ['content-type', 'cache-control', 'content-encoding'];
  const headers = names.map((name) => [name, stored.headers.get(name)]).filter(([, value]) => value !== null);
  return { body: Buffer.from(await stored.arrayBuffer()), headers: Object.fromEntries(headers) };
}

const tls = { allowHTTP1: true, key: readFileSync(join(folder, 'site.key')), cert: readFileSync(join(folder, 'site.pem')) };
createSecureServer(tls, async (request, response) => {
  const path = new URL(request.url, 'https://www.example.com').pathname;
  const found = await answer(path);
  if (!found && (await answer(`${path}/`))) {
    response.writeHead(301, { location: `${path}/` });
    response.end();
    return;
  }
  const { body, headers } = found ?? (await answer('/404.html')) ?? { body: Buffer.from('not found'), headers: {} };
  response.writeHead(found ? 200 : 404, headers);
  response.end(request.method === 'HEAD' ? '' : body);
}).listen(443, '127.0.0.1');

createServer((request, response) => {
  if (request.url === '/from-bucket') isBucket = true;
  response.writeHead(301, { Location: `https://www.example.com${request.url}` });
  response.end();
}).listen(80, '127.0.0.1', () => console.log('ready'));
