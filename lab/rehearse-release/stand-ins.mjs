// Replacements of the actions that workflows use. An action without one fails the rehearsal.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { checkOut, glob } from './machine.mjs';

/**
 * The surroundings of a step: the folder of the job, its inputs, and the folders of the forge.
 *
 * @typedef {object} Surroundings
 * @property {string} root - The working tree.
 * @property {string} workspace
 * @property {string} forge
 * @property {string} artifacts - Those of this run.
 * @property {Record<string, string>} env
 * @property {Record<string, string>} inputs
 *
 * @typedef {{ by: string, run?: (step: Surroundings) => unknown }} StandIn - The replacement, in words, and its outputs.
 */

/** @param {string} file */
const digest = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** @param {Surroundings} step */
function upload({ workspace, artifacts, inputs }) {
  const { name = 'artifact', path = '' } = inputs;
  const files = path.split('\n').filter(Boolean).flatMap((pattern) => (existsSync(join(workspace, pattern)) && !/[*/]$/u.test(pattern) ? [pattern] : glob(workspace, pattern)));
  if (files.length === 0 && inputs['if-no-files-found'] === 'error') throw new Error(`no files at ${path} for the artifact ${name}`);
  const into = join(artifacts, name);
  if (existsSync(into)) throw new Error(`there is an artifact ${name} already`);
  const base = files.length === 1 ? dirname(files[0] ?? '') : path.replace(/[^/]*$/u, '');
  for (const file of files) {
    const to = join(into, file.startsWith(base) ? file.slice(base.length) : basename(file));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(workspace, file), to, { recursive: true });
  }
}

/** @param {Surroundings} step */
function download({ workspace, artifacts, inputs }) {
  const { name, pattern = '*', path = '.' } = inputs;
  const named = new RegExp(`^${(name ?? pattern).replaceAll('*', '.*')}$`, 'u');
  const found = (existsSync(artifacts) ? readdirSync(artifacts) : []).filter((one) => named.test(one));
  if (found.length === 0) throw new Error(`there is no artifact ${name ?? pattern}`);
  const isFlat = name !== undefined || inputs['merge-multiple'] === 'true';
  for (const one of found) cpSync(join(artifacts, one), resolve(workspace, path, isFlat ? '' : one), { recursive: true });
}

/** Records the digests of the subjects, for the lab's `gh attestation verify`. @param {Surroundings} step */
function attest({ workspace, forge, env, inputs }) {
  const files = (inputs['subject-path'] ?? '').split('\n').filter(Boolean).flatMap((pattern) => glob(workspace, pattern.trim()));
  const digests = inputs['subject-digest'] ? [inputs['subject-digest'].replace('sha256:', '')] : files.map((file) => digest(join(workspace, file)));
  if (digests.length === 0) throw new Error('nothing to attest');
  mkdirSync(join(forge, 'attestations'), { recursive: true });
  for (const one of digests) writeFileSync(join(forge, 'attestations', one), `${env['GITHUB_REF']} ${env['GITHUB_SHA']}\n`);
}

/** @param {Surroundings} step */
function uploadSarif({ workspace, inputs }) {
  const { version, runs } = JSON.parse(readFileSync(join(workspace, inputs['sarif_file'] ?? ''), 'utf8'));
  if (version !== '2.1.0' || runs.length === 0) throw new Error('the file is not SARIF 2.1.0');
}

/** @param {Surroundings} step */
function publishWheels({ workspace, forge, inputs }) {
  mkdirSync(join(forge, 'pypi'), { recursive: true });
  const folder = join(workspace, inputs['packages-dir'] ?? 'dist');
  const wheels = readdirSync(folder).filter((name) => name.endsWith('.whl'));
  if (wheels.length === 0) throw new Error(`there are no wheels in ${inputs['packages-dir']}`);
  for (const wheel of wheels) cpSync(join(folder, wheel), join(forge, 'pypi', wheel));
}

/** @type {Record<string, StandIn>} */
export const standIns = {
  'actions/checkout': { by: 'a clone', run: ({ root, workspace, env }) => checkOut(root, workspace, env) },
  'actions/setup-node': { by: "this machine's Node.js" },
  'actions/setup-python': { by: "this machine's Python" },
  'actions/cache': { by: 'an empty cache' },
  'actions/cache/restore': { by: 'an empty cache' },
  'actions/cache/save': { by: 'an empty cache' },
  'actions/upload-artifact': { by: 'a folder', run: upload },
  'actions/download-artifact': { by: 'a folder', run: download },
  'actions/attest-build-provenance': { by: 'a list of digests, without a signature', run: attest },
  'github/codeql-action/upload-sarif': { by: 'a reader of SARIF', run: uploadSarif },
  'rust-lang/crates-io-auth-action': { by: 'a fixed token', run: () => ({ token: 'rehearsal' }) },
  'pypa/gh-action-pypi-publish': { by: 'a folder of wheels', run: publishWheels },
  'cachix/install-nix-action': { by: 'the program `nix` of the lab' },
  'nix-community/cache-nix-action': { by: 'an empty cache' },
  'aws-actions/configure-aws-credentials': { by: 'nothing: the target is a folder' },
};
