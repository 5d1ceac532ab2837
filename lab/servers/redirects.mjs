// Follows redirects of a contract in Chromium, with and without JavaScript: from nginx with the server block of
// `sitegate host-config nginx`, from `sitegate serve`, and from redirect pages on a plain file server, under several policies.
//
//   node lab/servers/redirects.mjs
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumArguments, executablePath } from '../../scripts/chromium.mjs';
import { buildForTests } from '../../scripts/debug.mjs';
import { sitegate } from '../../scripts/run.mjs';

const hash = "'sha256-S22bXD9J2UA2dX7cniPf4EPcRjrVPr96icLfekZj5Qg='";
const folder = await mkdtemp(join(tmpdir(), 'redirects-'));

/** @type {import('node:child_process').ChildProcess[]} */
const children = [];

/**
 * Runs sitegate in the folder of the test, and returns its output.
 *
 * @param {...string} args
 */
function gate(...args) {
  const { status, stdout, stderr } = spawnSync(sitegate('debug'), args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, `sitegate ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

/**
 * Runs `sitegate verify` while the file server of this process answers.
 *
 * @param {string} origin
 * @returns {Promise<{ passed: boolean, text: string }>}
 */
function verify(origin) {
  return new Promise((done) => {
    execFile(sitegate('debug'), ['verify', origin, '--seal', 'seal.json'], { cwd: folder }, (error, stdout, stderr) => {
      done({ passed: error === null, text: `${stdout}${stderr}` });
    });
  });
}

/** Returns a free port. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((done) => server.close(done));
  return port;
}

/**
 * Starts a server, and waits until it answers.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {string} origin
 */
async function start(command, args, origin) {
  children.push(spawn(command, args, { cwd: folder, stdio: 'ignore' }));
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await fetch(origin).then(() => true, () => false)) return origin;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${command} did not start`);
}

async function startNginx() {
  const port = await freePort();
  const block = gate('host-config', 'nginx', '--root', 'export').replace('listen 80;', `listen 127.0.0.1:${port};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  const config = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; ${temporary} ${block} }`;
  await writeFile(join(folder, 'nginx.conf'), config);
  await writeFile(join(folder, 'mime.types'), 'types { text/html html; }');
  return start('/usr/sbin/nginx', ['-c', join(folder, 'nginx.conf')], `http://127.0.0.1:${port}`);
}

async function startPreview() {
  const port = await freePort();
  return start(sitegate('debug'), ['serve', '--port', String(port)], `http://127.0.0.1:${port}`);
}

/**
 * Serves the published folder, as a server without redirects does. New pages are slow, so that two navigations at once
 * would show. Returns its origin.
 *
 * @param {string} policy
 */
async function startFiles(policy) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    const file = join(folder, 'public', path.includes('.') ? path : `${path}/index.html`);
    const body = await readFile(file).catch(() => null);
    if (path.startsWith('/new')) await new Promise((done) => setTimeout(done, 500));
    response.statusCode = body ? 200 : 404;
    response.setHeader('content-type', 'text/html');
    if (policy) response.setHeader('content-security-policy', policy);
    response.end(body);
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  server.unref();
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `http://127.0.0.1:${port}`;
}

/**
 * Opens a URL, and returns where the browser ends.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {boolean} javaScriptEnabled
 */
async function end(browser, url, javaScriptEnabled) {
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'commit' }).catch(() => null);
  await page.waitForURL(/\/new/u);
  // Longer than a new page takes.
  await page.waitForTimeout(1500);
  const at = page.url();
  await context.close();
  return at.replace(new URL(url).origin, '');
}

try {
  buildForTests();
  await mkdir(join(folder, 'export', 'new'), { recursive: true });
  const page = '<!doctype html><html lang="en"><title>New</title><h1 id="part">New</h1>';
  await writeFile(join(folder, 'export', 'new', 'index.html'), page);
  await writeFile(join(folder, 'export', 'index.html'), `${page}<a href="/old/#part">Old</a>`);
  const moved = [['/old', '/new/'], ['/own', '/new/?own#top']].map(([from, to]) => `[[redirects]]\nfrom = "${from}"\nto = "${to}"\n`);
  await writeFile(join(folder, 'sitegate.toml'), `[site]\nroot = "export"\n${moved.join('')}`);
  gate('check', '--seal', 'seal.json');
  gate('publish', `file://${join(folder, 'public')}`, '--seal', 'seal.json');
  const kept = ['/new/?q=1#part', '/new/?own#top'];
  const dropped = ['/new/', '/new/?own#top'];
  const servers = [
    { name: 'nginx', origin: await startNginx(), ends: kept, without: kept },
    { name: 'sitegate serve', origin: await startPreview(), ends: kept, without: kept },
    { name: 'pages', origin: await startFiles(''), ends: kept, without: dropped },
    { name: 'pages, hash in the policy', origin: await startFiles(`default-src 'none'; script-src ${hash}`), ends: kept, without: dropped },
    { name: 'pages, script blocked', origin: await startFiles("default-src 'self'"), ends: dropped, without: dropped },
  ];
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath: await executablePath(), args: chromiumArguments });
  for (const { name, origin, ends, without } of servers) {
    for (const [hasScripts, expected] of /** @type {const} */ ([[true, ends], [false, without]])) {
      for (const [at, path] of ['/old/?q=1#part', '/own/?q=1#part'].entries()) {
        const found = await end(browser, `${origin}${path}`, hasScripts);
        console.log(`${name}, JavaScript ${hasScripts ? 'on' : 'off'}: ${path} -> ${found}`);
        assert.equal(found, expected[at], name);
      }
    }
  }
  await browser.close();
  for (const { name, origin, ends } of servers) {
    const { passed, text } = await verify(origin);
    // The file server serves `/new` without a redirect, and has no 404 page: only its redirects count.
    assert.equal(text.includes('the policy blocks the script'), ends === dropped, `${name}: ${text}`);
    if (!name.startsWith('pages')) assert.ok(passed, `${name}: ${text}`);
  }
} finally {
  for (const child of children) child.kill();
  await rm(folder, { recursive: true, force: true });
}
