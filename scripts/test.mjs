// Runs all tests: Rust, instruction counts, documentation, units, the contract and its mutations, and browser tests.
import { availableParallelism } from 'node:os';
import { install } from './install.mjs';
import { permissions, sitegate, step, times } from './run.mjs';

await install();
step('Rust: format', 'cargo', ['fmt', '--check']);
// `--all-targets` leaves out tests that run only by name.
step('Rust: lint', 'cargo', ['clippy', '--quiet', '--all-targets', '--test', 'servers', '--', '-D', 'warnings']);
step('Rust: documentation', 'cargo', ['doc', '--quiet', '--workspace', '--no-deps', '--document-private-items'], { RUSTDOCFLAGS: '-D warnings' });
step('Rust: build', 'cargo', ['test', '--quiet', '--no-run']);
// Tests with a store mostly wait, so more of them run at once.
step('Rust: tests', 'cargo', ['test', '--quiet'], { RUST_TEST_THREADS: String(2 * availableParallelism()) });
step('Rust: instructions', process.execPath, ['scripts/instructions.mjs']);
step('Site: lint', 'npm', ['run', '--silent', 'lint']);
step('Writing', process.execPath, ['scripts/prose.mjs']);
step('Docs: build and check', process.execPath, ['scripts/docs.mjs', 'build']);
step('Site: build', process.execPath, ['scripts/build.mjs']);
step('Site: check', sitegate('debug'), ['check', ...permissions]);
step('Site: tests', 'npx', ['vitest', 'run']);
console.log(`\n${times()}\nAll tests passed.`);
