// Random pages and policies. A page uses only files of its own folder, so that findings in them are its own.
import { createHash } from 'node:crypto';

/** @typedef {ReturnType<typeof import('./random.mjs').random>} Random */

/** @param {string} text */
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const code = ['window.a = 1', 'window.b = 2', 'x < y && 3'];
const styles = ['p { color: red }', 'p { color: blue }'];
const integrity = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

const sources = [
  "'none'", "'self'", "'self'", "'self'", "'unsafe-inline'", "'unsafe-inline'", "'unsafe-hashes'", "'nonce-abc'", "'strict-dynamic'",
  "'inline-speculation-rules'", 'http:', 'https:', 'data:', '*', '127.0.0.1:*', 'http://127.0.0.1', 'ext.test', 'https://ext.test', 'http://ext.test:80',
  '*.ext.test', 'ext.test/dir/', 'ext.test/dir/a.png', 'ext.test:*', "'auto'", `'${integrity}'`,
  ...code.map(hash), ...styles.map(hash), hash('color: red'), hash('f()'), hash('javascript:void(0)'),
];
const fetches = [
  'default-src', 'default-src', 'script-src', 'script-src', 'script-src-elem', 'script-src-attr', 'style-src', 'style-src', 'style-src-elem', 'style-src-attr',
  'img-src', 'font-src', 'connect-src', 'media-src', 'object-src', 'frame-src', 'child-src', 'worker-src',
];

/**
 * @param {Random} random
 * @param {boolean} isMeta
 */
export function policy(random, isMeta) {
  const directives = random.some(fetches, 0.25).map((name) => `${name} ${random.some(sources, 0.12).join(' ')}`);
  if (random.chance(0.3)) directives.push(`form-action ${random.pick(["'self'", "'none'", 'ext.test'])}`);
  if (random.chance(0.3)) directives.push(`base-uri ${random.pick(["'self'", "'none'"])}`);
  if (random.chance(0.1)) directives.push('upgrade-insecure-requests');
  if (directives.length === 0) directives.push("default-src 'self'");
  const text = directives.join('; ');
  return isMeta ? text.replaceAll(/ 'auto'/g, '') : text;
}

const external = ['http://ext.test/dir/a.png', 'https://ext.test/dir/b.png', 'http://sub.ext.test/c.png', 'https://ext.test:8443/d.png', 'ftp://ext.test/e.png'];

/**
 * The content of a body, by a number that makes its files its own.
 *
 * @type {((random: Random, number: number) => string)[]}
 */
const elements = [
  (_, n) => `<img alt="" src="i${n}.png">`,
  (random) => `<img alt="" src="${random.pick(external)}">`,
  () => '<img alt="" src="data:image/png;base64,AA">',
  (_, n) => `<img alt="" srcset="s${n}.png 1x">`,
  (random) => `<script>${random.pick(code)}</script>`,
  (random) => `<script nonce="${random.pick(['abc', 'wrong'])}">${random.pick(code)}</script>`,
  (_, n) => `<script src="e${n}.js"></script>`,
  (_, n) => `<script nonce="abc" src="n${n}.js"></script>`,
  (_, n) => `<script src="h${n}.js" integrity="${integrity}"></script>`,
  (_, n) => `<script type="module" src="m${n}.mjs"></script>`,
  (_, n) => `<script type="module" nonce="abc" src="mn${n}.mjs"></script>`,
  () => '<script src="http://ext.test/dir/x.js"></script>',
  () => '<script type="application/ld+json">{}</script><script type="text/plain">x</script><script></script>',
  () => '<script nomodule>window.old = 1</script>',
  () => '<script type="speculationrules">{"prefetch": []}</script>',
  (random) => `<style>${random.pick(styles)}</style>`,
  () => '<style nonce="abc">i { color: green }</style>',
  (_, n) => `<style>#b${n} { background: url(b${n}.png) }</style><div id="b${n}">x</div>`,
  (_, n) => `<style>@import "c${n}.css";</style>`,
  (_, n) => `<style>@font-face { font-family: f${n}; src: url(f${n}.woff2) } #f${n} { font-family: f${n} }</style><div id="f${n}">x</div>`,
  (_, n) => `<link rel="stylesheet" href="l${n}.css">`,
  (_, n) => `<link rel="stylesheet" nonce="abc" href="ln${n}.css">`,
  () => '<link rel="stylesheet" href="https://ext.test/dir/a.css">',
  () => '<link rel="alternate stylesheet" title="x" href="http://ext.test/alt.css"><link rel="stylesheet" type="text/less" href="no.less">',
  (random) => `<p style="${random.pick(['color: red', 'color: blue'])}">x</p>`,
  (_, n) => `<p style="background: url(a${n}.png)">x</p>`,
  (random) => `<p onclick="${random.pick(['f()', 'g()'])}" onunknown="no()">x</p>`,
  (random) => `<a data-click href="javascript:${random.pick(['void(0)', 'void(1)'])}">x</a>`,
  (_, n) => `<iframe title="f" src="frame${n}.html"></iframe>`,
  () => '<iframe title="e" src="https://ext.test/frame.html"></iframe>',
  () => '<iframe title="d" src="data:text/html,x"></iframe>',
  () => '<iframe title="b" src="about:blank"></iframe>',
  (_, n) => `<iframe title="s" srcdoc="<p style='color: red'><img alt='' src='d${n}.png'><script>${code[0]}</script>"></iframe>`,
  (_, n) => `<object data="o${n}.svg"></object>`,
  (_, n) => `<object data="oh${n}.html"></object>`,
  (_, n) => `<embed src="m${n}.svg">`,
  (_, n) => `<video src="v${n}.mp4" poster="p${n}.png"></video>`,
  (_, n) => `<audio src="a${n}.mp3"></audio>`,
  (_, n) => `<svg><image href="si${n}.png"/><use href="su${n}.svg#a"/></svg>`,
  (random) => `<svg><style>${styles[0]}</style><script>${random.pick(code).replaceAll('<', '&lt;')}</script></svg>`,
  (_, n) => `<svg><script href="sv${n}.js"></script></svg>`,
  (_, n) => `<input type="image" alt="x" src="in${n}.png">`,
  (_, n) => `<table background="tb${n}.png"><tr><td background="td${n}.png">x</td></tr></table>`,
  (_, n) => `<template><p style="color: red" onclick="f()"></p><style>a {}</style><img alt="" src="t${n}.png"></template>`,
  (_, n) => `<noscript><style>a {}</style><img alt="" src="ns${n}.png"></noscript>`,
  (_, n) => `<div><template shadowrootmode="open"><style>${styles[0]}</style><img alt="" src="sh${n}.png"></template></div>`,
  (_, n) => `<link rel="preload" as="image" href="pi${n}.png"><link rel="preload" as="font" crossorigin href="pf${n}.woff2">`,
  (_, n) => `<link rel="preload" as="script" href="ps${n}.js"><link rel="preload" as="style" href="pc${n}.css">`,
  (_, n) => `<link rel="modulepreload" href="mp${n}.mjs"><link rel="preload" as="video" href="no${n}.mp4">`,
  (_, n) => `<link rel="preload" as="fetch" crossorigin href="pj${n}.json"><link rel="prefetch" href="pre${n}.js">`,
  (_, n) => `<script>fetch("x${n}.json").catch(() => 0)</script>`,
  (_, n) => `<script nonce="abc">import("./y${n}.mjs").catch(() => 0)</script>`,
  (_, n) => `<script>try { new Worker("w${n}.js") } catch {}</script>`,
];

/**
 * A random page: its HTML, and its own files.
 *
 * @param {Random} random
 * @param {number} number
 */
export function page(random, number) {
  let count = 0;
  const content = random.some(elements, 0.25).map((element) => element(random, (count += 1)));
  if (random.chance(0.5)) content.reverse();
  const meta = random.chance(0.3) ? `<meta http-equiv="Content-Security-Policy" content="${policy(random, true)}">` : '';
  const base = random.chance(0.15) ? '<base href="/base/">' : '';
  const head = [`<style>${random.pick(styles)}</style>`, meta, `<script>${random.pick(code)}</script>`].join('\n');
  const form = random.chance(0.2) ? `<form data-click action="${random.pick(['sent', 'http://ext.test/sent'])}"></form>` : '';
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${number}</title>${base}
${head}</head><body>\n${content.join('\n')}\n${form}</body></html>\n`;
  return { html, files: files(html) };
}

/**
 * The files that a page names, with content that loads further files.
 *
 * @param {string} html
 */
function files(html) {
  /** @type {Record<string, string>} */
  const contents = {};
  for (const [, name = ''] of html.matchAll(/["'( /]([a-z]+\d+\.[a-z0-9]+)/g)) {
    const stem = name.split('.')[0] ?? '';
    if (/^(?:l|ln|c)\d+\.css$/.test(name)) contents[name] = `@import "${stem}i.css"; body { background: url(${stem}.png) }\n`;
    else if (/^mn?\d+\.mjs$/.test(name)) contents[name] = `import "./${stem}d.mjs"; import("./${stem}y.mjs").catch(() => 0);\n`;
    else if (name.endsWith('.svg')) contents[name] = '<svg xmlns="http://www.w3.org/2000/svg"><g id="a"/></svg>';
    else if (name.endsWith('.html')) contents[name] = '<p>x';
    else if (name.endsWith('.json')) contents[name] = '{}';
    else contents[name] = '';
    for (const more of [`${stem}i.css`, `${stem}d.mjs`, `${stem}y.mjs`]) {
      if (contents[name]?.includes(more)) contents[more] = '';
    }
  }
  return contents;
}
