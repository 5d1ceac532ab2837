// Finds the binary that npm installed for this machine, and runs it.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { SitegateError } from './error.js';

const require = createRequire(import.meta.url);

/** The packages of the binary, one for each platform, such as `@sitegate/linux-x64`. */
const packages = Object.keys(require('./package.json').optionalDependencies);

/**
 * Returns the path of a file in an installed package, or nothing.
 *
 * @param {string} file
 */
function resolveInstalled(file) {
  try {
    return require.resolve(file);
  } catch {
    return undefined;
  }
}

/** @param {string} name */
const executablePath = (name) => `${name}/sitegate${name.includes('/win32-') ? '.exe' : ''}`;

/**
 * Returns the path of the program. `SITEGATE_BINARY` overrides it.
 *
 * @param {string} machine - The platform and architecture of Node, such as `linux-x64`.
 */
export function findProgram(machine = `${process.platform}-${process.arch}`) {
  const own = process.env['SITEGATE_BINARY'];
  if (own) return own;
  const name = `@sitegate/${machine}`;
  if (!packages.includes(name)) {
    const known = packages.map((one) => one.slice('@sitegate/'.length)).join(', ');
    throw new SitegateError(`there is no program for ${machine}, only for ${known}; build it with \`cargo install sitegate\` and set SITEGATE_BINARY to its path`);
  }
  const found = resolveInstalled(executablePath(name));
  if (found !== undefined) return found;
  const other = packages.find((candidate) => resolveInstalled(executablePath(candidate)) !== undefined);
  const why =
    other === undefined
      ? 'it is an optional dependency, which `--omit=optional` and `--no-optional` skip'
      : `\`${other}\` is: node_modules was installed on another platform`;
  throw new SitegateError(`the package \`${name}\` is not installed; ${why}; run \`npm install\` again, or set SITEGATE_BINARY to the path of the program`);
}

/**
 * Starts the program.
 *
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function start(args, options) {
  const program = findProgram();
  const child = spawn(program, args, options);
  child.on('error', () => {});
  /** @type {Promise<{ code: number | null, signal: NodeJS.Signals | null }>} */
  const ended = new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new SitegateError(`${program} cannot be run: ${error.message}`, { cause: error })));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return { child, ended };
}
