// Serves the export with `sitegate serve`, with the headers of the contract, and opens a browser.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { chromiumArguments, executablePath } from './chromium.mjs';
import { permissions, root } from './run.mjs';

/** Exits if there is no export yet. */
export async function needExport() {
  await access(`${root}site/dist/client/index.html`).catch(() => {
    console.error('There is no export in site/dist/client: run `npm run build` first');
    process.exit(2);
  });
}

/**
 * Serves an export on a free port of this machine.
 *
 * @param {string} sitegate - The program.
 * @param {string} folder - The folder of the contract.
 * @param {string[]} args - Further arguments. The default is those of this site.
 * @returns {Promise<{ origin: string, close: () => void }>} The origin, and a function that stops the server.
 */
export async function serve(sitegate, folder = root, args = permissions) {
  const server = spawn(sitegate, ['serve', ...args, '--port', '0'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await Promise.race([once(createInterface(server.stdout), 'line'), once(server, 'exit')]);
  const origin = String(line).replace(/\/$/, '');
  if (!origin.startsWith('http')) throw new Error(`${sitegate} serve printed ${origin}`);
  return { origin, close: () => void server.kill() };
}

/**
 * Serves the export with {@link serve} and opens a browser.
 *
 * @param {string} sitegate - The program.
 */
export async function open(sitegate) {
  const { chromium } = await import('playwright-core');
  const { origin, close } = await serve(sitegate);
  const browser = await chromium.launch({ executablePath: await executablePath(), args: chromiumArguments });
  return {
    origin,
    browser,
    close: async () => {
      await browser.close();
      close();
    },
  };
}
