// Builds the documentation site from docs/, without Rust, and serves it. `build` also checks it against its contract,
// docs/sitegate.toml.
//
//   npm run docs         builds and serves it on http://127.0.0.1:4174/
//   npm run docs:build   builds and checks it
//   npm run docs:dev     shows pages while you edit them
import { createRequire } from 'node:module';
import { generate } from '../docs/.vitepress/generate.mjs';
import { buildForTests } from './debug.mjs';
import { install } from './install.mjs';
import { root, run, sitegate } from './run.mjs';

const ways = ['build', 'dev', 'serve'];
const [way = 'serve'] = process.argv.slice(2);
if (!ways.includes(way)) {
  console.error(`\`${way}\` is not one of ${ways.join(', ')}`);
  process.exit(2);
}

const folder = `${root}docs/`;
const vitepress = `${folder}node_modules/vitepress/bin/vitepress.js`;

await install(folder);
await generate();
if (way === 'dev') {
  run(process.execPath, [vitepress, 'dev', folder, '--port', '4174']);
} else {
  run(process.execPath, [vitepress, 'build', folder]);
}
if (way === 'serve') {
  // Not `vitepress preview`, which listens on all addresses.
  const { preview } = createRequire(`${folder}package.json`)('vite');
  const server = await preview({ root: folder, configFile: false, appType: 'mpa', build: { outDir: '.vitepress/dist' }, preview: { host: '127.0.0.1', port: 4174 } });
  server.printUrls();
}
if (way === 'build') {
  buildForTests();
  run(process.execPath, ['scripts/terminal-image.mjs', '--check']);
  run(sitegate('debug'), ['check', '--config', 'docs/sitegate.toml']);
}
