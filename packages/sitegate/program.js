// Finds the program that was installed for this machine, and runs it.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { SitegateError } from './error.js';

const require = createRequire(import.meta.url);

/** The packages that hold the program, one a platform, by names such as `@sitegate/linux-x64`. */
const packages = Object.keys(require('./package.json').optionalDependencies);

/**
 * A file in a package that is installed, or nothing.
 *
 * @param {string} file
 */
function installed(file) {
  try {
    return require.resolve(file);
  } catch {
    return undefined;
  }
}

/** @param {string} name */
const executable = (name) => `${name}/sitegate${name.includes('/win32-') ? '.exe' : ''}`;

/**
 * The path of the program. `SITEGATE_BINARY` names another.
 *
 * @param {string} machine - As Node names it, such as `linux-x64`.
 */
export function findProgram(machine = `${process.platform}-${process.arch}`) {
  const own = process.env['SITEGATE_BINARY'];
  if (own) return own;
  const name = `@sitegate/${machine}`;
  if (!packages.includes(name)) {
    const known = packages.map((one) => one.slice('@sitegate/'.length)).join(', ');
    throw new SitegateError(`there is no program for ${machine}, only for ${known}; build one with \`cargo install sitegate\`, and name it in SITEGATE_BINARY`);
  }
  const found = installed(executable(name));
  if (found !== undefined) return found;
  const other = packages.find((candidate) => installed(executable(candidate)) !== undefined);
  const why =
    other === undefined
      ? 'it is an optional dependency, which `--omit=optional` and `--no-optional` leave out'
      : `\`${other}\` is: these packages were installed on another kind of machine`;
  throw new SitegateError(`the package \`${name}\` is not installed; ${why}; install again here, or name a program in SITEGATE_BINARY`);
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
