// Builds the release program for this machine.
import { spawnSync } from 'node:child_process';
import { run, sitegate } from '../run.mjs';

/**
 * Rust's names of architectures on Linux.
 *
 * @type {Record<string, string>}
 */
const machines = { x64: 'x86_64', arm64: 'aarch64' };

/**
 * Whether rustup has installed a target.
 *
 * @param {string} target
 */
function isInstalled(target) {
  const { stdout } = spawnSync('rustup', ['target', 'list', '--installed'], { encoding: 'utf8' });
  return stdout?.split('\n').includes(target) ?? false;
}

/** Builds the program and returns its path. On Linux it is static, so that it runs on every distribution. */
export function build() {
  const args = ['build', '--profile', 'dist', '--locked', '--package', 'sitegate'];
  if (process.platform !== 'linux') {
    run('cargo', args);
    return sitegate('dist');
  }
  const musl = `${machines[process.arch]}-unknown-linux-musl`;
  if (isInstalled(musl)) {
    run('cargo', [...args, '--target', musl]);
    return sitegate('dist', musl);
  }
  const gnu = `${machines[process.arch]}-unknown-linux-gnu`;
  console.error(`The program is linked with glibc, for tests on this machine; \`rustup target add ${musl}\` enables the static build`);
  // With --target, the flags do not apply to build scripts and macros.
  run('cargo', [...args, '--target', gnu], { RUSTFLAGS: `${process.env['RUSTFLAGS'] ?? ''} -C target-feature=+crt-static`.trim() });
  return sitegate('dist', gnu);
}
