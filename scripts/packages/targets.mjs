// The platforms of a release: Rust's target, and what npm, PyPI, Debian and RPM call it.

/**
 * @typedef {object} Target
 * @property {string} target - Rust's name.
 * @property {string} npm
 * @property {string} wheel - Tag of the wheel. The Linux programs are static, so that they run with any libc.
 * @property {string} [deb]
 * @property {string} [rpm]
 */

/** @type {Target[]} */
export const targets = [
  { target: 'x86_64-unknown-linux-musl', npm: 'linux-x64', wheel: 'manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64', deb: 'amd64', rpm: 'x86_64' },
  { target: 'aarch64-unknown-linux-musl', npm: 'linux-arm64', wheel: 'manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64', deb: 'arm64', rpm: 'aarch64' },
  { target: 'aarch64-apple-darwin', npm: 'darwin-arm64', wheel: 'macosx_11_0_arm64' },
  { target: 'x86_64-apple-darwin', npm: 'darwin-x64', wheel: 'macosx_10_12_x86_64' },
  { target: 'x86_64-pc-windows-msvc', npm: 'win32-x64', wheel: 'win_amd64' },
];

/**
 * Returns the target that npm calls `platform`.
 *
 * @param {string} platform
 */
export function targetOf(platform) {
  const found = targets.find(({ npm }) => npm === platform);
  if (found === undefined) throw new Error(`\`${platform}\` is not a platform: ${targets.map(({ npm }) => npm).join(', ')}`);
  return found;
}

/** @param {Target} target */
export const isWindows = ({ npm }) => npm.startsWith('win32');

/** @param {Target} target */
export const programName = (target) => (isWindows(target) ? 'sitegate.exe' : 'sitegate');

/**
 * Returns the name of the archive of a target.
 *
 * @param {string} version
 * @param {Target} target
 */
export const archiveName = (version, target) => `sitegate-v${version}-${target.target}${isWindows(target) ? '.zip' : '.tar.gz'}`;
