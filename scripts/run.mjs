// Runs the project's commands one after the other, and says which one failed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** How to get what a missing command belongs to. */
const origins = { cargo: 'install Rust with rustup', npm: 'install Node.js 20.19 or later' };

/** Runs a command at the top of the project with its output shown; ends the process when it fails. */
export function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  if (error) {
    const origin = origins[command];
    console.error(`${command}: ${error.message}${origin ? `; ${origin}` : ''}`);
    process.exit(2);
  }
  if (status !== 0) process.exit(status ?? 1);
}

/** {@link run} under a heading, with the time it took. */
export function step(title, command, args, env) {
  console.log(`\n── ${title}`);
  const start = performance.now();
  run(command, args, env);
  console.log(`── ${title}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/** The checker that `cargo build` makes for a profile: `debug` or `release`. */
export const sitegate = (profile) => `${root}target/${profile}/sitegate${process.platform === 'win32' ? '.exe' : ''}`;
