// Packs the npm packages: the launcher, and the program for this machine.
//
//   npm run package [-- --binary FILE [--platform NAME]] [-- --only PART] [-- --out FOLDER] [-- --types]
//
// Without --binary, it builds the program, statically if rustup has the musl target. --types only regenerates the types.
// PART is `platform` or `launcher`. Releases also use these, with the platform's program or a folder of all archives:
//
//   system      the archive of a platform, and for Linux its packages for Debian and RPM
//   wheels      the Python packages
//   manifests   checksums, installers, Homebrew, Scoop, winget, the GitLab template, and the notes
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../run.mjs';
import { packArchive, packDeb, packRpm } from './archive.mjs';
import { build } from './build.mjs';
import { writeManifests } from './manifests.mjs';
import { stageLauncher, stagePlatform } from './stage.mjs';
import { targetOf } from './targets.mjs';
import { declarations, types } from './types.mjs';
import { packWheels } from './wheels.mjs';

const { values: flags } = parseArgs({
  options: {
    binary: { type: 'string' },
    platform: { type: 'string', default: `${process.platform}-${process.arch}` },
    only: { type: 'string' },
    out: { type: 'string', default: join(root, 'packages') },
    types: { type: 'boolean', default: false },
  },
});

function writeTypes() {
  for (const [file, [schema, title, about]] of Object.entries(types)) {
    const described = JSON.parse(readFileSync(join(root, schema), 'utf8'));
    writeFileSync(join(root, 'packages', 'sitegate', file), declarations(described, title, about));
  }
}

/**
 * Packs the package in a folder and prints the name of the tarball.
 *
 * @param {string} folder
 * @param {string} out
 */
function pack(folder, out) {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--silent', '--pack-destination', out], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm pack exited with ${status}\n${stderr}`);
  console.log(join(out, stdout.trim()));
}

/** Packs the archive and the system packages of a platform. @param {string} staging @param {string} out */
function packSystem(staging, out) {
  const target = targetOf(flags.platform);
  const binary = resolve(flags.binary ?? build());
  console.log(packArchive(join(staging, 'archive'), target, binary, out));
  if (target.deb !== undefined) console.log(packDeb(join(staging, 'deb'), target, binary, out));
  if (target.rpm !== undefined) console.log(packRpm(join(staging, 'rpm'), target, binary, out));
}

/** @type {Record<string, (staging: string, out: string) => void>} */
const parts = {
  platform: (staging, out) => pack(stagePlatform(join(staging, 'platform'), flags.platform, resolve(flags.binary ?? build())), out),
  launcher: (staging, out) => pack(stageLauncher(join(staging, 'launcher')), out),
  system: packSystem,
  wheels: packWheels,
  manifests: (_, out) => writeManifests(out),
};

if (flags.types) {
  writeTypes();
} else {
  const out = resolve(flags.out);
  mkdirSync(out, { recursive: true });
  const staging = mkdtempSync(join(tmpdir(), 'sitegate-packages-'));
  try {
    for (const name of flags.only === undefined ? ['platform', 'launcher'] : [flags.only]) {
      const part = parts[name];
      if (part === undefined) throw new Error(`--only is one of ${Object.keys(parts).join(', ')}`);
      part(staging, out);
    }
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
