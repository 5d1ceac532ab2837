// Finds a Chromium for the browser tests, and installs one where there is none.
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

/** What every launch needs: no sandbox inside containers, and no traffic of the browser's own. */
export const chromiumArguments = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

async function downloaded() {
  const { chromium } = await import('playwright-core');
  const path = chromium.executablePath();
  return path !== '' && existsSync(path) ? path : undefined;
}

async function find() {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`CHROMIUM names ${named}, and there is no such file`);
    return named;
  }
  return usual.find((path) => existsSync(path)) ?? (await downloaded());
}

/**
 * Whether a command runs to its end.
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
      console.error('apt-get brought no Chromium; trying the download');
    }
  }
  run(process.execPath, [fileURLToPath(new URL('../node_modules/playwright-core/cli.js', import.meta.url)), 'install', 'chromium']);
}

/**
 * The path of a Chromium; installs one first where none is found.
 *
 * @returns {Promise<string>}
 */
export async function executablePath() {
  const found = await find();
  if (found !== undefined) return found;
  console.log('No Chromium found; installing one');
  install();
  const installed = await find();
  if (installed === undefined) throw new Error('There is no Chromium. Install one, or name it with CHROMIUM=/path/to/chromium');
  return installed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await executablePath());
