// Builds target/debug/sitegate with the dependencies that `cargo test` built. `cargo build` would compile them again,
// because test dependencies enable other features.
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

/** Builds the program for tests. */
export function buildForTests() {
  run('cargo', ['build', '--quiet', '--bin', 'sitegate', '--test', 'publishing']);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildForTests();
