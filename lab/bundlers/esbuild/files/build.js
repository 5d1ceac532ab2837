// Splits two entries and a worker into chunks; what a variant changes comes by the environment.
import { cpSync } from 'node:fs';
import { build } from 'esbuild';

const { OUT = 'dist', PUBLIC_PATH, FLAT } = process.env;
const shared = { bundle: true, minify: true, sourcemap: true, format: 'esm', outdir: `${OUT}/assets`, publicPath: PUBLIC_PATH, loader: { '.png': 'file', '.svg': 'file', '.wasm': 'file' } };

await build({ ...shared, entryPoints: ['src/main.js', 'src/about.js'], splitting: FLAT === undefined, external: ['./data.json', './worker.js'] });
await build({ ...shared, entryPoints: ['src/worker.js'], splitting: true, chunkNames: 'worker-[name]-[hash]' });
cpSync('public', OUT, { recursive: true });
cpSync('src/data.json', `${OUT}/assets/data.json`);
