// Reads the files of `sitegate host-config` with programs of the hosts, from npm: Netlify's parsers, Vercel's routing, and
// superstatic, the server of Firebase's emulator.
//
//   node lab/servers/host-config-files.mjs [FOLDER]     installs the packages into FOLDER, by default a temporary one
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildForTests } from '../../scripts/debug.mjs';
import { run, sitegate } from '../../scripts/run.mjs';

const packages = ['netlify-headers-parser@7', 'netlify-redirect-parser@14', '@vercel/routing-utils@6', 'superstatic@10'];
const contract = String.raw`
[site]
root = "export"
[[headers]]
paths = ["/**"]
set = { X-Frame-Options = "DENY", X-Odd = 'a "b" \ {c} % ; # $x' }
[[headers]]
paths = ["/docs/**", "/**/*.{txt,gz}"]
set = { X-Tag = "none" }
[[redirects]]
from = "/old"
to = "/docs/"
[[redirects]]
from = "/own"
to = "/docs/?own#part"
[[redirects]]
from = "/a+b.(1)"
to = "https://other.example/x?y=1&z"
`;
const files = ['index.html', '404.html', 'docs/index.html', 'docs/page.html', 'notes.txt', 'deep/er/x.gz', 'app.js'];
const tagged = new Set(['/docs/', '/docs/page.html', '/notes.txt', '/deep/er/x.gz']);
const urls = ['/', '/docs/', '/docs/page.html', '/notes.txt', '/deep/er/x.gz', '/app.js'];
/** @type {Record<string, string | undefined>} */
const moved = { '/old': '/docs/', '/old/': '/docs/', '/own': '/docs/?own#part', '/a+b.(1)': 'https://other.example/x?y=1&z', '/older': undefined, '/old/x': undefined, '/aab.(1)': undefined };

const folder = await mkdtemp(join(tmpdir(), 'host-config-files-'));
const installed = process.argv[2] ?? join(folder, 'packages');

/** @param {...string} args */
function gate(...args) {
  const { status, stdout, stderr } = spawnSync(sitegate('debug'), args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, `sitegate ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

/**
 * Compares the headers for a URL with the contract.
 *
 * @param {string} host
 * @param {string} url
 * @param {Record<string, string>} sent in lower case
 */
function compareHeaders(host, url, sent) {
  assert.equal(sent['x-frame-options'], 'DENY', `${host} ${url}`);
  assert.equal(sent['x-odd'], String.raw`a "b" \ {c} % ; # $x`, `${host} ${url}`);
  assert.equal(sent['x-tag'], tagged.has(url) ? 'none' : undefined, `${host} ${url}`);
}

/** @param {NodeRequire} load */
async function netlify(load) {
  const { parseAllHeaders } = await import(load.resolve('netlify-headers-parser'));
  const { parseAllRedirects } = await import(load.resolve('netlify-redirect-parser'));
  for (const name of ['_headers', '_redirects']) await writeFile(join(folder, name), gate('host-config', 'netlify', '--file', name));
  const { headers, errors } = await parseAllHeaders({ headersFiles: [join(folder, '_headers')], minimal: false });
  assert.deepEqual(errors, []);
  for (const url of urls) {
    const applied = headers.filter((/** @type {{ forRegExp: RegExp }} */ { forRegExp }) => forRegExp.test(url)).flatMap((/** @type {{ values: Record<string, string> }} */ { values }) => Object.entries(values));
    compareHeaders('Netlify', url, Object.fromEntries(applied.map((/** @type {[string, string]} */ [name, value]) => [name.toLowerCase(), value])));
  }
  const parsed = await parseAllRedirects({ redirectsFiles: [join(folder, '_redirects')], minimal: false });
  assert.deepEqual(parsed.errors, []);
  for (const [from, to] of Object.entries(moved).filter(([path]) => !path.endsWith('/'))) {
    const found = parsed.redirects.find((/** @type {{ path: string }} */ { path }) => path === from);
    assert.equal(found?.to, to, from);
    if (found) assert.deepEqual([found.status, found.force], [301, true]);
  }
}

/** @param {NodeRequire} load */
function vercel(load) {
  const { getTransformedRoutes } = load('@vercel/routing-utils');
  const { routes, error } = getTransformedRoutes(JSON.parse(gate('host-config', 'vercel')));
  assert.equal(error, null);
  for (const url of urls) {
    /** @type {Record<string, string>} */
    const sent = {};
    for (const { src, headers, status } of routes) {
      if (!status && headers && new RegExp(src, 'u').test(url)) {
        for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = value;
      }
    }
    compareHeaders('Vercel', url, sent);
  }
  for (const [from, to] of Object.entries(moved)) {
    const found = routes.find((/** @type {{ src: string, status?: number }} */ { src, status }) => status === 301 && new RegExp(src, 'u').test(from));
    assert.equal(found?.headers.Location, to, from);
  }
}

/** @param {NodeRequire} load */
async function firebase(load) {
  const { hosting } = JSON.parse(gate('host-config', 'firebase'));
  assert.equal(hosting.public, 'export');
  const { default: superstatic } = load('superstatic');
  const serve = superstatic({ config: hosting, cwd: folder, fallthrough: true });
  const server = createServer((request, response) => {
    serve(request, response, () => {
      response.statusCode = 404;
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  for (const url of urls) {
    const answer = await fetch(`http://127.0.0.1:${port}${url}`, { redirect: 'manual' });
    assert.equal(answer.status, 200, url);
    compareHeaders('Firebase', url, Object.fromEntries(answer.headers));
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=0, must-revalidate');
  }
  for (const [from, to] of Object.entries(moved)) {
    const answer = await fetch(`http://127.0.0.1:${port}${from}`, { redirect: 'manual' });
    // superstatic adds an empty query with `&` to a destination that has one.
    assert.equal(answer.headers.get('location')?.replace(/&$/u, ''), to, from);
    assert.equal(answer.status, to === undefined ? 404 : 301, from);
  }
  server.close();
}

try {
  buildForTests();
  if (!existsSync(join(installed, 'node_modules', 'superstatic'))) {
    run('npm', ['install', '--silent', '--no-save', '--prefix', installed, ...packages]);
  }
  const load = createRequire(join(installed, 'index.js'));
  await writeFile(join(folder, 'sitegate.toml'), contract);
  for (const file of files) {
    await mkdir(dirname(join(folder, 'export', file)), { recursive: true });
    await writeFile(join(folder, 'export', file), `<!doctype html><title>${file}</title>`);
  }
  vercel(load);
  console.log('Vercel: @vercel/routing-utils agrees');
  await firebase(load);
  console.log('Firebase: superstatic agrees');
  await writeFile(join(folder, 'sitegate.toml'), contract.replace('"/docs/**", "/**/*.{txt,gz}"', '"/docs/**", "/notes.txt", "/deep/**"'));
  await netlify(load);
  console.log('Netlify: its parsers agree');
} finally {
  await rm(folder, { recursive: true, force: true });
}
