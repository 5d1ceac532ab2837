// Serves ./public, the last published release, as its host would.
import { existsSync } from 'node:fs';
import { buildGate, permissions, root, run } from './run.mjs';

if (!existsSync(`${root}public`)) {
  console.error('./public does not exist yet: run `npm run release` first.');
  process.exit(2);
}
run(buildGate(), ['serve', 'public', ...permissions, ...process.argv.slice(2)]);
