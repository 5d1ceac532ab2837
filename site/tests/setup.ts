// Starts one server and one browser for all browser tests, and ends both.
import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumArguments, executablePath } from '../../scripts/chromium.mjs';
import { serve } from './server.mjs';

declare module 'vitest' {
  /** What the tests are told: where the export is served, and how to reach the browser. */
  export interface ProvidedContext {
    origin: string;
    browser: string;
  }
}

/** Runs once before all tests; what it returns runs after them. */
export default async function setup(project: TestProject) {
  const root = fileURLToPath(new URL('../dist/client', import.meta.url));
  await access(`${root}/index.html`).catch(() => {
    throw new Error('There is no export in site/dist/client: run `npm run build` first');
  });
  const server = await serve(root);
  const browser = await chromium.launchServer({ executablePath: await executablePath(), args: chromiumArguments });
  project.provide('origin', server.origin);
  project.provide('browser', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await server.close();
  };
}
