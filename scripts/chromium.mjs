// Finds a Chromium for the browser tests, or installs one.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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
 * Whether a command succeeds.
 *
 * @param {string} command
 * @param {...string} args
 */
function runs(command, ...args) {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  execFileSync(command, args, { stdio: 'inherit' });
}

function install() {
  const root = process.getuid?.() === 0;
  if (runs('apt-get', '--version') && (root || runs('sudo', '-n', 'true'))) {
    /** @param {...string} args */
    const apt = (...args) => (root ? run('apt-get', args) : run('sudo', ['-n', 'apt-get', ...args]));
    try {
      apt('update', '-q');
      apt('install', '-y', '-q', '--no-install-recommends', 'chromium');
      return;
    } catch {
      console.error('apt-get did not install Chromium; trying the download');
    }
  }
  run(process.execPath, [fileURLToPath(new URL('../node_modules/playwright-core/cli.js', import.meta.url)), 'install', 'chromium']);
}

/**
 * Returns the path of a Chromium, and installs one if necessary.
 *
 * @returns {Promise<string>}
 */
export async function executablePath() {
  const found = await find();
  if (found !== undefined) return found;
  console.log('No Chromium found; installing one');
  install();
  const installed = await find();
  if (installed === undefined) throw new Error('No Chromium found. Install one, or set CHROMIUM=/path/to/chromium');
  return installed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await executablePath());
