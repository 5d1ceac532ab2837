// Tests that the headers in the contract are served, and are in the configuration of each host.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { interactiveRoutes } from '#content/routes.ts';
import { serve } from '../../scripts/serve.mjs';
import { exported, sitegate, top } from './sitegate.ts';

/** The headers of every page. Cache-Control differs between files. */
const security = {
  'content-security-policy': /^default-src 'none'; script-src 'self' 'auto'; style-src 'self'; .*frame-ancestors 'none'/,
  'cross-origin-opener-policy': /^same-origin$/,
  'permissions-policy': /^accelerometer=\(\), camera=\(\), .*microphone=\(\)/,
  'referrer-policy': /^strict-origin-when-cross-origin$/,
  'strict-transport-security': /^max-age=31536000; includeSubDomains$/,
  'x-content-type-options': /^nosniff$/,
};

const contract = await readFile(`${top}sitegate.toml`, 'utf8');

/** Returns the value of a header in the contract, which must be there once. */
function stated(header: string): string {
  const values = [...contract.matchAll(/^set\.([\w-]+) = "(.*)"$/gm)].filter(([, name]) => name?.toLowerCase() === header).map(([, , value]) => value ?? '');
  expect(values.length, header).toBe(1);
  return values[0] ?? '';
}

/** Returns the sources of the inline scripts of a page: start.js and the speculation rules. */
async function inlineSources(path: string): Promise<readonly string[]> {
  const html = await readFile(`${exported}${path.replace(/\/?$/, '/')}index.html`, 'utf8');
  const scripts = [...html.matchAll(/<script(?: type="speculationrules")?>(.*?)<\/script>/gs)];
  return scripts.map(([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
}

/** Returns the value of a header as it is sent: with the hashes of the inline scripts of all pages instead of `'auto'`. */
async function sent(header: string): Promise<string> {
  const sources = await Promise.all(interactiveRoutes.map(({ path }) => inlineSources(path)));
  return stated(header).replace("'auto'", [...new Set(sources.flat())].toSorted().join(' '));
}

const edge = (host: string): string => execFileSync(sitegate, ['host-config', host], { cwd: top, encoding: 'utf8' });

let origin = '';
let close = () => undefined as void;

beforeAll(async () => {
  ({ origin, close } = await serve(sitegate));
});

afterAll(() => close());

test.each(Object.entries(security))('%s is stated once, and served with everything', async (header, pattern) => {
  expect(stated(header)).toMatch(pattern);
  for (const path of ['/', '/model-routing', '/terms', '/nowhere', '/deep/er/still', '/404.js', '/favicon.svg', '/sitemap.xml', '/share/home.png']) {
    expect((await fetch(origin + path)).headers.get(header), path).toBe(await sent(header));
  }
});

test('pages have two inline scripts, which the policy names, and no inline style', async () => {
  const policy = await sent('content-security-policy');
  for (const { path } of interactiveRoutes) {
    const sources = await inlineSources(path);
    expect(sources.length, path).toBe(2);
    for (const source of sources) expect(policy, path).toContain(source);
    expect(await (await fetch(origin + path)).text()).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
  }
  expect(policy).not.toContain('unsafe');
});

test('what never changes is kept for a year, and all else is asked about', async () => {
  const html = await (await fetch(origin)).text();
  const [, asset = ''] = /href="(\/assets\/[^"]+\.css)"/.exec(html) ?? [];
  expect((await fetch(origin + asset)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await fetch(`${origin}/terms`)).headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
});

test.each(Object.keys(security))('%s is sent by every edge that can send it', async (header) => {
  const value = await sent(header);
  expect(edge('nginx')).toContain(`"${value}"`);
  const { response_headers_policies: policies } = JSON.parse(edge('cloudfront')) as { response_headers_policies: { path_patterns: string[]; policy: unknown }[] };
  const everywhere = JSON.stringify(policies.find(({ path_patterns: paths }) => paths.includes('/*'))?.policy);
  // CloudFront has special settings for two of them.
  if (header === 'strict-transport-security') expect(everywhere).toContain('"AccessControlMaxAgeSec":31536000,"IncludeSubdomains":true');
  else if (header === 'x-content-type-options') expect(everywhere).toContain('"ContentTypeOptions"');
  else expect(everywhere).toContain(JSON.stringify(value).slice(1, -1));
  // A bucket cannot send them, and the output says so.
  expect((JSON.parse(edge('s3-website')) as { not_possible: string[] }).not_possible).toContain(header);
});
