// Starts one server and one browser for all browser tests, and ends both.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumArguments, executablePath } from '../../scripts/chromium.mjs';
import { exported, sitegate, top } from './sitegate.ts';

declare module 'vitest' {
  /** What the tests are told: where the export is served, and how to reach the browser. */
  export interface ProvidedContext {
    origin: string;
    browser: string;
  }
}

/** Serves the export by `sitegate serve`, with the headers of the contract, as its host would. */
async function serve() {
  const server = spawn(sitegate, ['serve', '--port', '0'], { cwd: top, stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await Promise.race([once(createInterface(server.stdout), 'line'), once(server, 'exit')]);
  const origin = String(line[0]).replace(/\/$/, '');
  if (!origin.startsWith('http')) throw new Error(`${sitegate} serve ended with ${origin}`);
  return { origin, close: () => server.kill() };
}

/** Runs once before all tests; what it returns runs after them. */
export default async function setup(project: TestProject) {
  await access(`${exported}/index.html`).catch(() => {
    throw new Error('There is no export in site/dist/client: run `npm run build` first');
  });
  const server = await serve();
  const browser = await chromium.launchServer({ executablePath: await executablePath(), args: chromiumArguments });
  project.provide('origin', server.origin);
  project.provide('browser', browser.wsEndpoint());
  return async () => {
    await browser.close();
    server.close();
  };
}
