// Packs the npm packages: the launcher, and the program for this machine.
//
//   npm run package [-- --binary FILE [--platform NAME]] [-- --only platform|launcher] [-- --out FOLDER] [-- --types]
//
// Without --binary, it builds the program, statically if rustup has the musl target. --types only regenerates the types.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../run.mjs';
import { build } from './build.mjs';
import { stageLauncher, stagePlatform } from './stage.mjs';
import { declarations, types } from './types.mjs';

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

if (flags.types) {
  writeTypes();
} else {
  const out = resolve(flags.out);
  mkdirSync(out, { recursive: true });
  const staging = mkdtempSync(join(tmpdir(), 'sitegate-packages-'));
  try {
    if (flags.only !== 'launcher') {
      pack(stagePlatform(join(staging, 'platform'), flags.platform, resolve(flags.binary ?? build())), out);
    }
    if (flags.only !== 'platform') pack(stageLauncher(join(staging, 'launcher')), out);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
