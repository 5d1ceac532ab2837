// Follows documents literally: runs each command in a clean root, and compares the output that they show.
//
//   lab/follow-docs/run [--complete] [--verbose] [--sitegate PATH] [document…]
//
// --complete also runs what takes long: `npm test`, and `cargo install` instead of its result. The default of --sitegate is
// the debug build of the working tree.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/run.mjs';
import { testedProgram } from '../tested-program.mjs';
import { CleanRoot, home, localNetwork, must } from './clean-root.mjs';
import { blocks, commands, documents } from './documents.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    complete: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    sitegate: { type: 'string' },
  },
});

const here = fileURLToPath(new URL('.', import.meta.url));
const site = `${home}/your-site`;
const clone = `${home}/sitegate`;
/** What cargo compiles in the clone, for all documents and the next run. */
const compiled = join(root, 'target/follow-docs');
const installed = `${home}/.cargo/bin/sitegate`;

/**
 * Commands that take long, and their replacements.
 *
 * @type {[command: RegExp, replacement: string][]}
 */
const replacements = flags.complete
  ? []
  : [
      [/^cargo install --locked --path (\S+)$/, `test -f $1/Cargo.toml && cp /opt/sitegate ${installed}`],
      [/^cargo install --locked sitegate$/, `cp /opt/sitegate ${installed}`],
      [/^npm test$/, ':'],
    ];

/** Returns the command to run: the replacement, if there is one. */
const asRun = (/** @type {string} */ line) => replacements.reduce((text, [command, replacement]) => text.replace(command, replacement), line);

/**
 * Creates a certificate for 60 days, and its key.
 *
 * @param {string} folder
 * @param {string} name
 * @param {string[]} args
 */
function certificate(folder, name, args) {
  const files = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.pem`)];
  must('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '60', ...files, ...args]);
}

/**
 * Creates the packages, and the certificate of www.example.com.
 *
 * @param {string} folder
 */
function prepare(folder) {
  must('strip', ['-o', join(folder, 'sitegate'), testedProgram(flags.sitegate, 'debug')]);
  must(process.execPath, ['scripts/packages/main.mjs', '--binary', join(folder, 'sitegate'), '--out', folder], { cwd: root });
  certificate(folder, 'authority', ['-subj', '/CN=follow-docs', '-addext', 'keyUsage=keyCertSign']);
  certificate(folder, 'site', [
    '-subj',
    '/CN=www.example.com',
    '-addext',
    'subjectAltName=DNS:www.example.com',
    '-addext',
    'basicConstraints=critical,CA:FALSE',
    '-CA',
    join(folder, 'authority.pem'),
    '-CAkey',
    join(folder, 'authority.key'),
  ]);
  must('git', ['clone', '--quiet', '--no-local', root, join(folder, 'clone')]);
  // Also what is not committed yet.
  const changed = must('git', ['ls-files', '--modified', '--others', '--exclude-standard'], { cwd: root }).split('\n').filter(Boolean);
  changed.forEach((file) => cpSync(join(root, file), join(folder, 'clone', file)));
}

/**
 * Creates the root of a reader who opens a document.
 *
 * @param {import('./documents.mjs').Document} document
 * @param {string} prepared
 * @param {string} folder
 */
function rootOf(document, prepared, folder) {
  mkdirSync(folder);
  const clean = new CleanRoot(folder);
  clean.addPrograms(dirname(process.execPath));
  clean.addPrograms(join(must('rustc', ['--print', 'sysroot'], { cwd: root }), 'bin'));
  clean.addPrograms(join(must('python3', ['-c', 'import sys; print(sys.prefix)']), 'bin'));
  clean.copy(join(prepared, 'sitegate'), '/opt/sitegate');
  if (document.installed) clean.copy(join(prepared, 'sitegate'), installed);
  clean.copy(join(prepared, 'clone'), clone);
  mkdirSync(compiled, { recursive: true });
  clean.bind(compiled, `${clone}/target`);
  if (document.site === 'project') {
    clean.copy(join(here, 'project'), site);
    must(process.execPath, ['build.mjs'], { cwd: join(folder, site) });
    cpSync(join(folder, site, 'dist'), join(prepared, 'site'), { recursive: true });
  } else {
    clean.copy(join(root, 'docs/sample/dist'), `${site}/dist`);
  }
  must('git', ['init', '--quiet', join(folder, site)]);
  const trusted = process.env['SSL_CERT_FILE'] ?? '/etc/ssl/certs/ca-certificates.crt';
  clean.write('/etc/trusted.pem', readFileSync(trusted, 'utf8') + readFileSync(join(prepared, 'authority.pem'), 'utf8'));
  clean.write(`${home}/.aws/credentials`, '[default]\naws_access_key_id = AKTEST\naws_secret_access_key = SKTEST\n');
  return clean;
}

/** The registries of this machine, for the documents that download. */
function registries(/** @type {CleanRoot} */ clean) {
  for (const file of ['.npmrc', '.cargo/config.toml']) {
    try {
      clean.write(`${home}/${file}`, readFileSync(join(homedir(), file), 'utf8'));
    } catch {
      // This machine uses the public ones.
    }
  }
  const names = Object.keys(process.env).filter((name) => /_proxy$|^npm_config_registry$|^CARGO_(SOURCE|REGISTRIES)_/i.test(name));
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
}

const local = { NPM_CONFIG_YES: 'true', NPM_CONFIG_REGISTRY: 'http://127.0.0.1:4873/', AWS_ENDPOINT_URL: 'http://127.0.0.1:5000', AWS_DEFAULT_REGION: 'us-east-1', AWS_EC2_METADATA_DISABLED: 'true' };
const trust = Object.fromEntries(['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS', 'CARGO_HTTP_CAINFO'].map((name) => [name, '/etc/trusted.pem']));

/**
 * Makes a contract of the document the reader's: its keys are added to those of the contracts before.
 *
 * @param {CleanRoot} clean
 * @param {string} text
 */
function addContract(clean, text) {
  const path = join(clean.path, site);
  const earlier = `contract-${mkdtempSync(join(tmpdir(), 'name-')).slice(-6)}.toml`;
  let extended = '';
  try {
    cpSync(join(path, 'sitegate.toml'), join(path, earlier), { errorOnExist: true });
    extended = `extends = "${earlier}"\n`;
  } catch {
    // This is the first one.
  }
  if (!/^extends = /m.test(text)) writeFileSync(join(path, 'sitegate.toml'), extended + text);
}

/** Output with a constant duration. */
const timeless = (/** @type {string} */ output) => output.replaceAll(/ in [\d.]+ m?s/g, ' in 2 ms').trim();

/**
 * Follows a document, and returns its counts and faults.
 *
 * @param {import('./documents.mjs').Document} document
 * @param {CleanRoot} clean
 * @param {number} localhost - A process in the local network.
 */
function follow(document, clean, localhost) {
  const count = { commands: 0, outputs: 0, contracts: 0, 'not run': 0 };
  /** @type {string[]} */
  const faults = [];
  /** @type {Record<string, string>} */
  const env = { ...trust, ...(document.online ? registries(clean) : local) };
  clean.own();
  let printed = '';
  let at = clone;
  let before = { ...document.before };
  /** @param {string} line @param {string} folder @param {string} input */
  const run = (line, folder, input = '') => {
    const isLocal = !document.online || /^npx |^npm install |^aws |s3:/.test(line);
    return clean.run(asRun(line), { folder, input, env: isLocal ? { ...env, ...local } : env, ...(isLocal && { network: localhost }) });
  };
  for (const block of blocks(document.file)) {
    if (block.needs) count['not run'] += 1;
    else if (block.info === 'yaml') faults.push(`write \`<!-- needs … -->\` above this block\n${block.text}`);
    if (block.needs && block.info !== 'yaml') continue;
    if (block.info === 'toml') {
      addContract(clean, block.text);
      count.contracts += 1;
    }
    if (block.info === 'text' && block.adjacent) {
      if (timeless(printed) !== timeless(block.text)) faults.push(`shows\n${block.text}\nbut prints\n${printed}`);
      count.outputs += 1;
    }
    const lines = commands(block);
    if (lines.length > 0) printed = '';
    for (const line of lines) {
      const [, name, value = ''] = /^export (\w+)=(\S+)$/.exec(line) ?? [];
      if (name) env[name] = value;
      const [, next] = /^cd (\S+)$/.exec(line) ?? [];
      if (next) at = posix.join(at, next);
      const folder = block.folder ? `${clone}/${block.folder}` : document.inClone?.test(line) ? at : site;
      const { [line]: event, ...later } = before;
      before = later;
      if (event) {
        const { status, stderr } = run(event, document.inClone?.test(event) ? at : site);
        if (status !== 0) faults.push(`${event}\nexited with ${status}\n${stderr}`);
      }
      const { status, stdout, stderr } = run(line, folder, document.answers?.[line]?.(printed));
      const expected = document.exits?.[line] ?? (block.folder ? 1 : 0);
      if (flags.verbose) console.log(`$ ${line}\n${stdout}${stderr}exited with ${status}\n`);
      if (status !== expected) faults.push(`$ ${line}\nexited with ${status} instead of ${expected}\n${stdout}${stderr}`);
      printed = stdout;
      count.commands += 1;
    }
  }
  faults.push(...Object.keys(before).map((line) => `there is no command ${line}`));
  return { count, faults };
}

/** Starts the servers in the local network, and waits until they answer. */
async function serve(/** @type {number} */ localhost, /** @type {string} */ prepared) {
  const enter = [`--net=/proc/${localhost}/ns/net`];
  const website = spawn('nsenter', [...enter, process.execPath, join(here, 'servers.mjs'), prepared], { stdio: ['ignore', 'pipe', 'inherit'] });
  const store = spawn('nsenter', [...enter, 'python3', '-m', 'moto.server', '-H', '127.0.0.1', '-p', '5000'], { stdio: 'ignore' });
  await new Promise((resolve) => website.stdout.once('data', resolve));
  must('nsenter', [...enter, 'curl', '--silent', '--retry', '30', '--retry-connrefused', '--retry-delay', '1', '--output', '/dev/null', 'http://127.0.0.1:5000/moto-api/data.json']);
  return () => [website, store].forEach((server) => server.kill());
}

const work = mkdtempSync(join(tmpdir(), 'follow-docs-'));
prepare(work);
const chosen = documents.filter(({ file }) => positionals.length === 0 || positionals.some((name) => file.includes(name)));
let failed = 0;
for (const [index, document] of chosen.entries()) {
  const clean = rootOf(document, work, join(work, `root-${index}`));
  const network = await localNetwork();
  const stop = await serve(network.pid, work);
  const { count, faults } = follow(document, clean, network.pid);
  stop();
  network.kill();
  const counts = Object.entries(count).map(([name, number]) => `${String(number).padStart(3)} ${name}`);
  console.log(`${faults.length === 0 ? 'right' : 'WRONG'}  ${document.file.padEnd(32)}${counts.join(' ')}`);
  faults.forEach((fault) => console.log(`\n${fault}\n`));
  failed += faults.length;
  clean.remove();
}
rmSync(work, { recursive: true, force: true });
process.exitCode = failed > 0 ? 1 : 0;
