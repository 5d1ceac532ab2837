// Serves ./public, what the last release published, as its host would.
import { existsSync } from 'node:fs';
import { buildGate, gate, root, run } from './run.mjs';

if (!existsSync(`${root}public`)) {
  console.error('There is no ./public yet: npm run release makes it.');
  process.exit(2);
}
buildGate();
run(gate, ['serve', 'public', ...process.argv.slice(2)]);
