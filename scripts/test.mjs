// Runs the tests of the program and of the site, in Chromium. Compiles Rust once. `npm run lint` and `.ci/run` have the rest.
import { availableParallelism } from 'node:os';
import { executablePath } from './chromium.mjs';
import { install } from './install.mjs';
import { permissions, sitegate, step, stepOfBoth, times } from './run.mjs';

await install();
// First, because compiling takes minutes and a missing browser would end the run after it.
const CHROMIUM = await executablePath().catch((error) => {
  console.error(error.message);
  process.exit(2);
});
await stepOfBoth('Build: Rust and the site', ['cargo', ['test', '--quiet', '--no-run']], [process.execPath, ['scripts/build.mjs']]);
// Tests with a store mostly wait, so more of them run at once.
step('Rust: tests', 'cargo', ['test', '--quiet'], { RUST_TEST_THREADS: String(2 * availableParallelism()) });
// A tab before each deployment of an application, on four hosts. All cases are 50 deployments.
const deployments = process.env['SITEGATE_TESTS'] === 'complete' ? '50' : '10';
step('Open tabs', process.execPath, ['lab/carry/main.mjs', '--deployments', deployments], { CHROMIUM });
step('Site: check', sitegate('debug'), ['check', ...permissions]);
step('Site: tests', 'npx', ['vitest', 'run', '--project', '!engines'], { CHROMIUM });
console.log(`\n${times()}\nAll tests passed.`);
