// Publishes this site to Ceph's gateway, opens it in a browser at the website endpoint of the bucket, publishes a release
// with wrong text, and rolls back.
//
//   node lab/servers/website.mjs     after lab/servers/ceph-gateway up DIR
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumArguments, executablePath } from '../../scripts/chromium.mjs';
import { buildForTests } from '../../scripts/debug.mjs';
import { root, sitegate } from '../../scripts/run.mjs';

const endpoint = 'http://127.0.0.1:7480';
const bucket = `site-${Date.now()}`;
// Browsers resolve names below localhost to this machine.
const website = `http://${bucket}.web.localhost:7480`;
const target = [`s3://${bucket}`, '--endpoint', endpoint];
const keys = { AWS_ACCESS_KEY_ID: 'AKTEST', AWS_SECRET_ACCESS_KEY: 'SKTEST' };

const folder = await mkdtemp(join(tmpdir(), 'website-'));
const exported = join(root, 'site', 'dist', 'client');
const contract = join(folder, 'sitegate.toml');
const config = ['--config', contract, '--allow-read', root];

/**
 * Runs sitegate in `cwd` and returns its output.
 *
 * @param {string[]} args
 * @param {string} cwd
 */
function gate(args, cwd = root) {
  const { status, stdout, stderr } = spawnSync(sitegate('debug'), args, { cwd, encoding: 'utf8', env: { ...process.env, ...keys } });
  assert.equal(status, 0, `sitegate ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

/** @param {string} text */
const hash = (text) => createHash('sha256').update(text).digest('hex');
/**
 * @param {import('node:crypto').BinaryLike} key
 * @param {string} text
 */
const hmac = (key, text) => createHmac('sha256', key).update(text).digest();

/**
 * Sends a request for the bucket, signed with AWS Signature Version 4.
 *
 * @param {string} query
 * @param {string} body
 */
async function ask(query, body) {
  const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${date.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const headers = { host: new URL(endpoint).host, 'x-amz-content-sha256': hash(body), 'x-amz-date': date };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = `PUT\n/${bucket}\n${query}\n${lines.join('')}\n${names}\n${hash(body)}`;
  const key = scope.split('/').reduce(hmac, Buffer.from(`AWS4${keys.AWS_SECRET_ACCESS_KEY}`));
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash(canonical)}`).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${keys.AWS_ACCESS_KEY_ID}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  const { host: _, ...sent } = headers;
  const answer = await fetch(`${endpoint}/${bucket}?${query}`, { method: 'PUT', body, headers: { ...sent, authorization } });
  assert.ok(answer.ok, `PUT ?${query}: ${answer.status} ${await answer.text()}`);
}

/** Configures the bucket as a website with the output of `sitegate host-config s3-website`. */
async function configure() {
  const output = JSON.parse(gate(['host-config', 's3-website', '--bucket', bucket, ...config]));
  const { IndexDocument: index, ErrorDocument: error } = output.website_configuration;
  const suffix = `<IndexDocument><Suffix>${index.Suffix}</Suffix></IndexDocument>`;
  const page = `<ErrorDocument><Key>${error.Key}</Key></ErrorDocument>`;
  await ask('website=', `<WebsiteConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${suffix}${page}</WebsiteConfiguration>`);
  await ask('policy=', JSON.stringify(output.bucket_policy));
}

/** @param {string} dir */
function publish(dir) {
  const seal = join(folder, 'seal.json');
  gate(['check', dir, ...config, '--seal', seal]);
  const flags = [...config, '--seal', seal, '--allow-placeholders', '--format', 'json'];
  const { outcome, release } = JSON.parse(gate(['publish', ...target, dir, ...flags]));
  console.log(`${outcome} ${release}`);
  assert.equal(outcome, 'published');
}

/**
 * Opens a path in the browser. Returns its status, its heading, and the final URL.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} path
 */
async function look(browser, path) {
  const page = await browser.newPage();
  /** @type {string[]} */
  const failed = [];
  page.on('response', (response) => {
    if (response.status() >= 400 && response.url() !== `${website}${path}`) failed.push(`${response.status()} ${response.url()}`);
  });
  page.on('pageerror', (error) => failed.push(String(error)));
  const answer = await page.goto(`${website}${path}`, { waitUntil: 'networkidle' });
  const heading = await page.locator('h1').first().innerText({ timeout: 5000 }).catch(() => '');
  const found = { status: answer?.status(), heading, at: new URL(page.url()).pathname };
  await page.close();
  assert.deepEqual(failed, [], `what ${path} asks for`);
  return found;
}

/**
 * Copies the export and changes the heading of the terms. It passes the check, but is wrong.
 *
 * @param {string} dir
 */
async function worsen(dir) {
  await cp(exported, dir, { recursive: true });
  const page = join(dir, 'terms', 'index.html');
  const text = await readFile(page, 'utf8');
  const changed = text.replace(/(<h1[^>]*>)[^<]*/, '$1Terms of Abuse');
  assert.notEqual(changed, text);
  await writeFile(page, changed);
}

/** @param {import('playwright-core').Browser} browser */
async function walk(browser) {
  await ask('', '');
  publish(exported);
  await configure();
  const home = await look(browser, '/');
  assert.equal(home.status, 200);
  const terms = await look(browser, '/terms');
  assert.deepEqual(terms, { status: 200, heading: 'Terms of Use', at: '/terms' });
  assert.equal((await look(browser, '/terms/')).status, 200);
  assert.deepEqual(await look(browser, '/nowhere'), { status: 404, heading: 'Oops! Page not found', at: '/nowhere' });
  assert.deepEqual(await look(browser, '/tos'), terms, 'an address that moved leads on');

  const worse = join(folder, 'worse');
  await worsen(worse);
  publish(worse);
  assert.equal((await look(browser, '/terms')).heading, 'Terms of Abuse');

  const nowhere = join(folder, 'nowhere');
  await mkdir(nowhere);
  gate(['rollback', ...target], nowhere);
  assert.deepEqual(await look(browser, '/terms'), terms, 'after the rollback');
  assert.deepEqual(await look(browser, '/'), home, 'after the rollback');
}

try {
  const { chromium } = await import('playwright-core');
  const executable = await executablePath();
  buildForTests();
  await writeFile(contract, `extends = ${JSON.stringify(join(root, 'sitegate.toml'))}\n[[redirects]]\nfrom = "/tos"\nto = "/terms"\n`);
  const browser = await chromium.launch({ executablePath: executable, args: chromiumArguments });
  try {
    await walk(browser);
  } finally {
    await browser.close();
  }
  console.log('The site answers at the website endpoint, and a wrong release is taken back');
} finally {
  await rm(folder, { recursive: true, force: true });
}
