// Runs everything that reads the sources without running them: formatters, linters, the documentation of the crates, types,
// and the check of how the project writes.
import { install } from './install.mjs';
import { step, times } from './run.mjs';

await install();
step('Rust: format', 'cargo', ['fmt', '--check']);
// `--all-targets` leaves out tests that run only by name.
step('Rust: lint', 'cargo', ['clippy', '--quiet', '--all-targets', '--test', 'servers', '--', '-D', 'warnings']);
step('Rust: documentation', 'cargo', ['doc', '--quiet', '--workspace', '--no-deps', '--document-private-items'], { RUSTDOCFLAGS: '-D warnings' });
step('Types', 'npx', ['tsc', '--noEmit']);
step('TypeScript and JavaScript: lint', 'npx', ['oxlint', '--deny-warnings', 'site', 'scripts', 'lab', 'packages', 'docs', 'vitest.config.ts']);
step('Writing', process.execPath, ['scripts/prose.mjs']);
console.log(`\n${times()}\nNothing to report.`);
