// Builds target/debug/sitegate with the very dependencies that `cargo test` has built, which `cargo build` would compile again:
// what only tests need turns on features of theirs.
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

/** Builds the program for tests. */
export function buildForTests() {
  run('cargo', ['build', '--quiet', '--bin', 'sitegate', '--test', 'door']);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildForTests();
