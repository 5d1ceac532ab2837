// Finds a Chromium for the browser tests, or installs one.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Arguments of every launch: no sandbox, which containers lack, and no background traffic. */
export const chromiumArguments = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

async function downloaded() {
  const { chromium } = await import('playwright-core');
  const path = chromium.executablePath();
  return path !== '' && existsSync(path) ? path : undefined;
}

async function find() {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`CHROMIUM is ${named}, which does not exist`);
    return named;
  }
  return usual.find((path) => existsSync(path)) ?? (await downloaded());
}

/**
 * Whether a program is on the `PATH`. Does not run it.
 *
 * @param {string} program
 */
const isOnPath = (program) => (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  execFileSync(command, args, { stdio: 'inherit' });
}

const packages = ['chromium'];

/** How to get a browser without this script. */
const wayOut = `Install one (Debian, Ubuntu: \`sudo apt-get install ${packages.join(' ')}\`), or set CHROMIUM=/path/to/chromium`;

/** Downloads Playwright's Chromium into the cache of the user, which changes nothing else on the machine. */
function download() {
  console.log('No Chromium found; downloading one for this user');
  const cli = fileURLToPath(new URL('../node_modules/playwright-core/cli.js', import.meta.url));
  // Playwright prints a stack for each of its tries.
  const { status, stderr } = spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: ['ignore', 'inherit', 'pipe'], encoding: 'utf8' });
  if (status !== 0) console.error(`Chromium cannot be downloaded: ${/^Error: (.*)$/m.exec(stderr)?.[1] ?? stderr.trim()}`);
}

/**
 * Returns whether the system's packages may be changed: in CI, or if the person at the terminal agrees.
 *
 * @param {string} command
 */
async function mayInstall(command) {
  if (/^(1|true)$/.test(process.env['CI'] ?? '')) return true;
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`The browser tests need Chromium. Run \`${command}\`? [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Installs Debian's Chromium, if this may be done. Runs nothing before that is known. */
export async function installPackages() {
  const prefix = process.getuid?.() === 0 ? [] : ['sudo'];
  const install = [...prefix, 'apt-get', 'install', '--yes', '--quiet', '--no-install-recommends', ...packages];
  if (!isOnPath('apt-get') || !(await mayInstall(install.join(' ')))) return;
  try {
    for (const [command = '', ...args] of [[...prefix, 'apt-get', 'update', '--quiet'], install]) run(command, args);
  } catch {
    console.error('apt-get did not install Chromium');
  }
}

/**
 * Returns the path of a Chromium. Without one, downloads it for this user, or asks to install the system's package.
 *
 * @returns {Promise<string>}
 */
export async function executablePath() {
  let found = await find();
  for (const provide of [download, installPackages]) {
    if (found !== undefined) return found;
    await provide();
    found = await find();
  }
  if (found === undefined) throw new Error(`The browser tests need Chromium. ${wayOut}`);
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await executablePath());
