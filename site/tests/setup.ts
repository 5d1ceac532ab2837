// Starts and stops one server and one browser for all browser tests.
import { access } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumArguments, executablePath } from '../../scripts/chromium.mjs';
import { serve } from '../../scripts/serve.mjs';
import { engines } from './engines.ts';
import { exported, sitegate } from './sitegate.ts';

declare module 'vitest' {
  /** Values for the tests: the origin of the export, and the endpoint of the browser. */
  export interface ProvidedContext {
    origin: string;
    browser: string;
  }
}

/** Runs before all tests, and returns a function that runs after them. */
export default async function setup(project: TestProject) {
  await access(`${exported}/index.html`).catch(() => {
    throw new Error('There is no export in site/dist/client: run `npm run build` first');
  });
  const [used, missing] = [engines.filter(({ installed }) => installed), engines.filter(({ installed }) => !installed)];
  console.log(`Browser engines: ${used.map(({ name }) => name).join(', ')}`);
  for (const { name, packages } of missing) console.log(`Not tested: ${name}, which Debian has in ${packages}`);
  const server = await serve(sitegate);
  const browser = await chromium.launchServer({ executablePath: await executablePath(), args: chromiumArguments });
  project.provide('origin', server.origin);
  project.provide('browser', browser.wsEndpoint());
  return async () => {
    await browser.close();
    server.close();
  };
}
