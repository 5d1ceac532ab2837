// Serves ./public, what the last release published, as its host would.
import { existsSync } from 'node:fs';
import { root, run, sitegate } from './run.mjs';

if (!existsSync(`${root}public`)) {
  console.error('There is no ./public yet: npm run release makes it.');
  process.exit(2);
}
run('cargo', ['build', '--release', '--quiet']);
run(sitegate('release'), ['serve', 'public', ...process.argv.slice(2)]);
