// Creates the folders of the npm packages, with the version of the workspace and the URL of the repository.
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';
import { about } from './about.mjs';

const source = join(root, 'packages', 'sitegate');
const launcher = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));

/** Returns the repository, if a GitHub workflow sets it. npm checks its build attestation against it. */
function repository() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  return name === undefined ? {} : { repository: { type: 'git', url: `git+${server}/${name}.git` } };
}

/**
 * @param {string} folder
 * @param {object} manifest
 * @param {string} readme
 */
function write(folder, manifest, readme) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, version: about.version, ...repository() }, undefined, 2)}\n`);
  writeFileSync(join(folder, 'README.md'), readme);
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

/**
 * Creates the package of the launcher in a new folder.
 *
 * @param {string} folder
 */
export function stageLauncher(folder) {
  cpSync(source, folder, { recursive: true });
  const programs = Object.keys(launcher.optionalDependencies);
  const optionalDependencies = Object.fromEntries(programs.map((name) => [name, about.version]));
  write(folder, { ...launcher, optionalDependencies }, readFileSync(join(source, 'README.md'), 'utf8'));
  return folder;
}

/**
 * Creates the package of the program for a platform in a new folder.
 *
 * @param {string} folder
 * @param {string} platform
 * @param {string} binary
 */
export function stagePlatform(folder, platform, binary) {
  const name = `@sitegate/${platform}`;
  if (!(name in launcher.optionalDependencies)) throw new Error(`\`${platform}\` is not a platform in packages/sitegate/package.json`);
  const [os, cpu] = platform.split('-');
  const file = os === 'win32' ? 'sitegate.exe' : 'sitegate';
  mkdirSync(folder, { recursive: true });
  copyFileSync(binary, join(folder, file));
  chmodSync(join(folder, file), 0o755); // artifacts of workflow jobs may lose the mode
  const { license, engines } = launcher;
  const manifest = { name, description: `The program of sitegate for ${platform}`, license, engines, os: [os], cpu: [cpu], files: [file], preferUnplugged: true };
  write(folder, manifest, `# ${name}\n\nThe program of \`sitegate\` for ${platform}. Install \`sitegate\`, which installs the program for your machine.\n`);
  return folder;
}
