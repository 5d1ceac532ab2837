// The machine of a job: its folders, its environment, and the programs that replace others.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const programs = fileURLToPath(new URL('programs/', import.meta.url));

/** Variables of this machine that a job needs: proxies, certificates and registries. */
const passed = /^(?:LANG|TERM|.*_proxy|SSL_CERT_.*|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|PIP_.*|npm_config_registry|npm_config_cafile|CARGO_(?:HTTP|NET|SOURCE|REGISTRIES|PROFILE|BUILD)_.*|PYENV_.*)$/iu;

/** Files of this machine's home with its registries. */
const configuration = ['.npmrc', '.config/pip/pip.conf', '.gitconfig'];

/**
 * Creates a home with the registries of this machine, and returns the environment of its user.
 *
 * @param {string} home
 * @returns {Record<string, string>}
 */
export function environmentOf(home) {
  mkdirSync(join(home, '.config/pip'), { recursive: true });
  for (const file of configuration) {
    if (existsSync(join(homedir(), file))) cpSync(join(homedir(), file), join(home, file));
  }
  const kept = Object.entries(process.env).filter(([name, value]) => passed.test(name) && value !== undefined);
  return {
    .../** @type {Record<string, string>} */ (Object.fromEntries(kept)),
    HOME: home,
    PATH: [programs.replace(/\/$/u, ''), process.env['PATH']].join(delimiter),
    CARGO_HOME: process.env['CARGO_HOME'] ?? join(homedir(), '.cargo'),
    RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? join(homedir(), '.rustup'),
    CI: 'true',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/**
 * Runs a command, and returns its exit code and output. The output also goes to a log.
 *
 * @param {string[]} command
 * @param {{ cwd: string, env: Record<string, string>, log?: string, input?: string }} options
 * @returns {Promise<{ status: number, output: string }>}
 */
export function run([program = '', ...args], { cwd, env, log, input }) {
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  /** @param {Buffer} chunk */
  const keep = (chunk) => {
    output += chunk.toString('utf8');
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (log !== undefined) writeFileSync(log, `$ ${[program, ...args].join(' ')}\n${output}exited with ${code}\n\n`, { flag: 'a' });
      resolve({ status: code ?? 1, output });
    });
  });
}

/**
 * Clones the working tree, with what is not committed yet, as a checkout does.
 *
 * @param {string} root
 * @param {string} into
 * @param {Record<string, string>} env
 */
export async function checkOut(root, into, env) {
  rmSync(into, { recursive: true, force: true });
  const { status, output } = await run(['git', 'clone', '--quiet', '--no-local', root, into], { cwd: root, env });
  if (status !== 0) throw new Error(output);
  const { output: changed } = await run(['git', 'ls-files', '--modified', '--others', '--exclude-standard', '--deleted', '-z'], { cwd: root, env });
  for (const file of new Set(changed.split('\0').filter(Boolean))) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(into, file));
    else rmSync(join(into, file), { force: true });
  }
  for (const folder of ['target', 'node_modules']) {
    if (existsSync(join(root, folder)) && !existsSync(join(into, folder))) symlinkSync(join(root, folder), join(into, folder));
  }
}

/**
 * Reads a file of lines `name=value` and blocks `name<<END`, as steps write it for outputs and variables.
 *
 * @param {string} file
 * @returns {Record<string, string>}
 */
export function readAssignments(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  /** @type {Record<string, string>} */
  const found = {};
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const [, block, end] = /^([^=]+?)<<(.+)$/u.exec(line) ?? [];
    const [, name, value] = /^([^=]+)=(.*)$/u.exec(line) ?? [];
    if (block !== undefined && end !== undefined) found[block] = lines.splice(0, lines.indexOf(end) + 1).slice(0, -1).join('\n');
    else if (name !== undefined && value !== undefined) found[name] = value;
  }
  return found;
}

/**
 * Returns the files below a folder that a glob of a workflow names.
 *
 * @param {string} folder
 * @param {string} pattern
 */
export function glob(folder, pattern) {
  const source = pattern.replace(/\/$/u, '/**').replaceAll(/[.+^${}()|[\]\\]/gu, String.raw`\$&`).replaceAll('**', '\0').replaceAll('*', '[^/]*').replaceAll('\0', '.*');
  const matches = new RegExp(`^${source}$`, 'u');
  const top = pattern.split('/').slice(0, -1).filter((part) => !part.includes('*'));
  const start = pattern.includes('**') && top.length === 0 ? folder : join(folder, ...top);
  if (!existsSync(start)) return [];
  const isDeep = /\/$|\*\*/u.test(pattern);
  const names = readdirSync(start, { recursive: isDeep, withFileTypes: true }).filter((entry) => entry.isFile());
  return names.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).filter((name) => matches.test(name));
}
