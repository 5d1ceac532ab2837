// Builds the documentation site from docs/, checks it against its contract, docs/sitegate.toml, and serves it.
//
//   npm run docs         builds, checks and serves it on http://127.0.0.1:4174/
//   npm run docs:build   builds and checks it
//   npm run docs:dev     shows pages while you edit them
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
const program = sitegate('debug');

await install(folder);
buildForTests();
await generate(program);
if (way === 'dev') {
  run(process.execPath, [vitepress, 'dev', folder, '--port', '4174']);
} else {
  run(process.execPath, ['scripts/terminal-image.mjs', '--check']);
  run(process.execPath, [vitepress, 'build', folder]);
  run(program, ['check', '--config', 'docs/sitegate.toml']);
  if (way === 'serve') run(program, ['serve', '--config', 'docs/sitegate.toml', '--port', '4174']);
}
