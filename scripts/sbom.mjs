// Writes the bills of materials of the site and the checker as CycloneDX, from the lock files. The output is reproducible.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** @param {string} path */
const read = async (path) => readFile(join(root, path), 'utf8');

/**
 * @typedef {{ type: string, kind: string, name: string, version: string, spdx?: string, hash?: { alg: string, content: string } | undefined, optional?: boolean }} Package
 * @typedef {ReturnType<typeof component>} Component
 * @typedef {Record<'dependencies' | 'devDependencies' | 'optionalDependencies' | 'peerDependencies', Record<string, string> | undefined>} Needs
 * @typedef {Needs & { name?: string, version: string, license?: string, integrity: string, optional?: boolean }} Locked - A package of package-lock.json.
 * @typedef {{ id: string, name: string, version: string, license?: string }} Crate
 * @typedef {{ id: string, deps: { pkg: string, dep_kinds: { kind: string | null }[] }[] }} Node - A crate and what it needs.
 */

/**
 * @param {Component} a
 * @param {Component} b
 */
const byRef = (a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1);
/**
 * @param {string} a
 * @param {string} b
 */
const byText = (a, b) => (a < b ? -1 : 1);

/**
 * Converts a license to SPDX syntax: old crates have MIT/Apache-2.0.
 *
 * @param {string | undefined} spdx
 */
const licenseChoice = (spdx) => (spdx ? { licenses: [{ expression: spdx.replaceAll('/', ' OR ').replaceAll(/ +/g, ' ') }] } : {});

/**
 * Converts a package to a component, with its package URL.
 *
 * @param {Package} about
 */
function component({ type, kind, name, version, spdx, hash, optional }) {
  const path = name.split('/').map(encodeURIComponent).join('/');
  const purl = `pkg:${kind}/${path}@${version}`;
  return {
    type,
    'bom-ref': purl,
    name,
    version,
    ...(optional ? { scope: 'optional' } : {}),
    ...(hash ? { hashes: [hash] } : {}),
    ...licenseChoice(spdx),
    purl,
  };
}

/**
 * Returns the document. Its serial number is a hash of its content.
 *
 * @param {Component} subject
 * @param {Map<string, Component>} components
 * @param {Map<string, Set<string>>} graph
 */
function document(subject, components, graph) {
  const body = {
    version: 1,
    metadata: { component: subject },
    components: [...components.values()].toSorted(byRef),
    dependencies: [...graph]
      .map(([ref, targets]) => ({ ref, dependsOn: [...targets].toSorted(byText) }))
      .toSorted((a, b) => byText(a.ref, b.ref)),
  };
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const uuid = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  return { $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json', bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: `urn:uuid:${uuid}`, ...body };
}

/** Returns the packages in package-lock.json that the site is built from and with. */
async function site() {
  /** @type {{ packages: Record<string, Locked> & { '': Locked & { name: string } } }} */
  const { packages } = JSON.parse(await read('package-lock.json'));
  const entries = Object.entries(packages).filter(([path]) => path !== '');
  /**
   * @param {string} path
   * @param {Locked} locked
   */
  const named = (path, { name, version, license, integrity, optional }) =>
    component({
      type: 'library',
      kind: 'npm',
      name: name ?? path.split('node_modules/').slice(-1).join(),
      version,
      ...(license === undefined ? {} : { spdx: license }),
      hash: { alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') },
      optional: optional ?? false,
    });
  const components = entries.map(([path, module]) => ({ path, module, entry: named(path, module) }));
  const at = new Map(components.map(({ path, entry }) => [path, entry]));
  /**
   * Resolves a dependency of the package at a path, as Node does.
   *
   * @param {string} path
   * @param {string} name
   */
  const found = (path, name) => {
    for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
      const here = at.get(`${folder === '' ? '' : `${folder}/`}node_modules/${name}`);
      if (here !== undefined || folder === '') return here;
    }
  };
  /**
   * @param {string} path
   * @param {Needs} module
   */
  const needs = (path, module) => {
    const names = Object.keys({ ...module.dependencies, ...module.devDependencies, ...module.optionalDependencies, ...module.peerDependencies });
    return names.map((name) => found(path, name)?.['bom-ref']).filter((ref) => ref !== undefined);
  };
  const own = packages[''];
  // The root is named for the whole project, and this document is about the site in it.
  const subject = component({ type: 'application', kind: 'npm', name: `${own.name}/site`, version: own.version, ...(own.license === undefined ? {} : { spdx: own.license }) });
  const graph = new Map([[subject['bom-ref'], new Set(needs('', own))]]);
  for (const { path, module, entry } of components) {
    const ref = entry['bom-ref'];
    graph.set(ref, new Set([...(graph.get(ref) ?? []), ...needs(path, module)]));
  }
  return document(subject, new Map(components.map(({ entry }) => [entry['bom-ref'], entry])), graph);
}

/**
 * Returns the crates in Cargo.lock that the program is built from, on any platform, including our own but without those
 * for tests.
 */
async function checker() {
  const checksums = new Map(
    [...(await read('Cargo.lock')).matchAll(/name = "(.+)"\nversion = "(.+)"\n(?:source = .+\n)?checksum = "(.+)"/g)].map(([, name, version, sum]) => [`${name} ${version}`, sum]),
  );
  const args = ['metadata', '--locked', '--format-version', '1'];
  /** @type {{ packages: Crate[], resolve: { nodes: Node[] }, workspace_members: string[] }} */
  const metadata = JSON.parse(execFileSync('cargo', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }));
  const crates = new Map(metadata.packages.map((crate) => [crate.id, crate]));
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
  const subjectId = metadata.workspace_members.find((id) => crates.get(id)?.name === 'sitegate');
  /** @param {string | undefined} id */
  const named = (id) => {
    const crate = crates.get(id ?? '');
    if (crate === undefined) throw new Error(`cargo metadata has no crate ${id}`);
    const { name, version, license } = crate;
    const sum = checksums.get(`${name} ${version}`);
    return component({ type: 'library', kind: 'cargo', name, version, ...(license === undefined ? {} : { spdx: license }), hash: sum === undefined ? undefined : { alg: 'SHA-256', content: sum } });
  };
  const subject = { ...named(subjectId), type: 'application' };
  const components = new Map();
  const graph = new Map();
  const waiting = [subjectId];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const entry = named(id);
    if (graph.has(entry['bom-ref'])) continue;
    if (id !== subjectId) components.set(entry['bom-ref'], entry);
    const needed = (nodes.get(id)?.deps ?? []).filter((dep) => dep.dep_kinds.some(({ kind }) => kind !== 'dev'));
    graph.set(entry['bom-ref'], new Set(needed.map((dep) => named(dep.pkg)['bom-ref'])));
    waiting.push(...needed.map((dep) => dep.pkg));
  }
  return document(subject, components, graph);
}

const folder = process.argv[2] ?? join(root, '.sitegate', 'sbom');
await mkdir(folder, { recursive: true });
for (const [name, make] of Object.entries({ site, checker })) {
  const bom = await make();
  const file = join(folder, `${name}.cdx.json`);
  await writeFile(file, `${JSON.stringify(bom, undefined, 2)}\n`);
  console.log(`${name}: ${bom.components.length} components`);
}
